"""Job scripts with a recorder in place of their programs (``recorder/program.py``): what the scripts started."""

import contextlib
import json
import os
import shutil
import signal
import threading
import time
from pathlib import Path

import psutil

from workshop.paths import REPO

TRAIN = REPO / "scripts" / "train"
PROGRAM = Path(__file__).parent / "recorder" / "program.py"
WAIT_S = 600
IMAGES = 1797  # in the archive that scripts unpack


class Recorder:
    """The recorder in one workplace.

    Args:
        workplace: folder to submit from. Its ``scripts/train`` is replaced; the job scripts stay what they are.
    """

    def __init__(self, workplace: Path) -> None:
        self.workplace = workplace
        self.train = workplace / "scripts" / "train"
        if (workplace / "scripts").is_symlink():
            (workplace / "scripts").unlink()
        else:
            shutil.rmtree(workplace / "scripts")
        for folder in ("real", "recorded"):
            (self.train / folder).mkdir(parents=True)
        for program in TRAIN.glob("*.py"):  # copies: a container sees no other folder
            shutil.copyfile(PROGRAM, self.train / program.name)
        shutil.copyfile(TRAIN / "launch.py", self.train / "real" / "launch.py")
        for scheduler in ("slurm", "pbs", "lsf"):
            (workplace / "scripts" / scheduler).symlink_to(REPO / "scripts" / scheduler)

    def records(self) -> list[dict]:
        """One of each process, in the order in which they came."""
        return [json.loads(path.read_text()) for path in sorted(self.train.glob("recorded/*.json"))]

    def launches(self) -> list[list[dict]]:
        """The records of each launch, by rank; launches in the order in which they began.

        A job that starts again launches the same once more: a rank that comes a second time belongs to the next launch.
        """
        found: list[list[dict]] = []
        newest: dict[tuple, list[dict]] = {}
        for record in self.records():
            run_id = record["variables"].get("TORCHELASTIC_RUN_ID", "")
            key = (record["program"], run_id, record["master_port"], *record["words"])
            if key not in newest or record["rank"] in [other["rank"] for other in newest[key]]:
                newest[key] = []
                found.append(newest[key])
            newest[key].append(record)
        return [sorted(launch, key=lambda record: record["rank"]) for launch in found]

    def hold(self) -> None:
        """From now on processes wait after their record, until ``tell``."""
        (self.train / "hold").touch()

    def held(self, count: int) -> list[int]:
        """Wait until ``count`` processes wait; their process ids."""
        deadline = time.monotonic() + WAIT_S
        while len(signs := list(self.train.glob("recorded/held-*.pid"))) < count:
            assert time.monotonic() < deadline, f"{len(signs)} of {count} processes within {WAIT_S} s"
            time.sleep(0.02)
        return [int(sign.read_text()) for sign in signs]

    def release(self) -> None:
        """Later processes do not wait any more."""
        (self.train / "hold").unlink()


class Stop(threading.Thread):
    """Sends TERM once ``count`` held processes wait for it: to them, and to the shells above them if asked to."""

    def __init__(self, recorder: Recorder, count: int, *, shells: bool = False) -> None:
        super().__init__(daemon=True)
        self.recorder, self.count, self.shells, self.hit = recorder, count, shells, 0
        recorder.hold()

    def run(self) -> None:
        processes = [psutil.Process(number) for number in self.recorder.held(self.count)]
        self.recorder.release()
        above = [p for p in processes[0].parents() if self.shells and p.name() in ("bash", "timeout")]
        ours = [p for p in above if Path(p.cwd()) == self.recorder.workplace.resolve()]
        for process in [*ours, *processes]:
            with contextlib.suppress(psutil.NoSuchProcess):  # timeout passed the signal on
                process.send_signal(signal.SIGTERM)
                self.hit += 1


def left_on(disk: Path) -> list[str]:
    """What a script left on its node's disk; torchrun leaves empty folders of its own there."""
    return [path.name for path in disk.iterdir() if not path.name.startswith("torchelastic_")]


def assert_world(launch: list[dict], nodes: dict[str, int], folder: Path) -> None:
    """One launch has ranks 0 … n-1 once each, on these nodes, in this folder, and they met.

    Args:
        launch: its records, by rank. nodes: ranks on each node, in the order of the ranks.
    """
    size = sum(nodes.values())
    places = [node for node, count in nodes.items() for _ in range(count)]
    assert [record["rank"] for record in launch] == list(range(size))
    assert {record["world_size"] for record in launch} == {size}
    assert {record["node_count"] for record in launch} == {len(nodes)}
    if launch[0]["launcher"] == "torchrun" and len(nodes) > 1:  # which agent comes first is chance
        assert sorted(record["node"] for record in launch) == sorted(places)
    else:
        assert [record["node"] for record in launch] == places
    everyone = [[record["rank"], record["node"]] for record in launch]
    for node, count in nodes.items():
        assert sorted(r["local_rank"] for r in launch if r["node"] == node) == list(range(count))
    for record in launch:
        assert record["together_with"] == everyone, "they did not meet"
        assert record["local_world_size"] == nodes[record["node"]]
        assert Path(record["cwd"]) == folder.resolve()
        assert record["variables"].get("OMP_NUM_THREADS") == "1"


def environment_with(workplace: Path, **variables: str | os.PathLike) -> None:
    """The environment that scripts activate sets these as well: PBS starts jobs without the submitter's variables."""
    activate = workplace / ".venv" / "bin" / "activate"
    before = f"source '{activate.resolve()}'\n"
    if (workplace / ".venv").is_symlink():
        (workplace / ".venv").unlink()
        activate.parent.mkdir(parents=True)
    else:
        before = activate.read_text()
    activate.write_text(before + "".join(f"export {name}='{value}'\n" for name, value in variables.items()))
