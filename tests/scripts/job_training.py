"""Watching and disturbing a training that a job script started."""

import json
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import psutil

from workshop.paths import REPO


def epochs_done(workplace: Path, prefix: str) -> int:
    """Most lines in ``metrics.jsonl`` of the runs whose names start with ``prefix``."""
    files = workplace.glob(f"runs/{prefix}*/metrics.jsonl")
    return max((len(file.read_text().splitlines()) for file in files), default=0)


def workers(workplace: Path) -> list[psutil.Process]:
    """The ranks (not torchrun) of a ddp_resume.py that runs in ``workplace``."""
    found = []
    for process in psutil.process_iter():
        try:
            words = process.cmdline()
            is_rank = any(word.endswith("train/ddp_resume.py") for word in words[1:3])
            if is_rank and Path(process.cwd()) == workplace.resolve():
                found.append(process)
        except psutil.Error:
            continue
    return found


def wait_for_epoch(workplace: Path, prefix: str, epochs: int = 1, timeout_s: float = 200) -> None:
    """Until that many epochs are recorded."""
    deadline = time.monotonic() + timeout_s
    while epochs_done(workplace, prefix) < epochs:
        assert time.monotonic() < deadline, f"no epoch of runs/{prefix}* within {timeout_s} s"
        time.sleep(0.05)


class Disturbance(threading.Thread):
    """Sends a signal to ranks once two epochs are recorded (then the first one's checkpoint is on the disk).

    Args:
        workplace: folder where the training runs. prefix: beginning of the run's name. number: signal.
        all_ranks: to every rank (a preemption) or only to the first found (a crash).
    """

    def __init__(self, workplace: Path, prefix: str, number: signal.Signals, *, all_ranks: bool) -> None:
        super().__init__(daemon=True)
        self.workplace, self.prefix, self.number, self.all_ranks = workplace, prefix, number, all_ranks
        self.hit = 0

    def run(self) -> None:
        wait_for_epoch(self.workplace, self.prefix, 2)
        found = workers(self.workplace)
        for process in found if self.all_ranks else found[:1]:
            process.send_signal(self.number)
            self.hit += 1


def learning_rates(workplace: Path) -> dict[str, float]:
    """Learning rate of each run of the array, by the name of its folder, for runs that recorded all their epochs."""
    rates = {}
    for folder in workplace.glob("runs/array-lr*"):
        config = json.loads((folder / "config.json").read_text())
        if len((folder / "metrics.jsonl").read_text().splitlines()) == config["epochs"]:
            rates[folder.name] = config["lr"]
    return rates


# What the tasks of ``project_sweep`` try: learning rate, batch size.
SWEEP = {(rate, size) for rate in (0.2, 0.05, 0.0125) for size in (32, 128)}


def swept(runs: Path) -> set[tuple[float, int]]:
    """Learning rate and batch size of the finished runs of a sweep; ``best_run.py`` must be able to compare them."""
    folders = sorted(runs.glob("sweep-*"))
    program = REPO / "scripts" / "train" / "best_run.py"
    told = subprocess.run([sys.executable, program, *folders], capture_output=True, text=True, check=True).stdout
    assert told.splitlines()[-1].startswith("best: --") and "not finished" not in told
    configs = [json.loads((folder / "config.json").read_text()) for folder in folders]
    return {(config["lr"], config["batch_size"]) for config in configs}


def write_digits(workplace: Path) -> None:
    """The archive that ``stage_data`` unpacks."""
    program = REPO / "scripts" / "train" / "make_archive.py"
    subprocess.run([sys.executable, program, "data/digits.tar"], cwd=workplace, check=True, timeout=100)


def staged_training(workplace: Path) -> psutil.Process | None:
    """The one_device.py that runs in ``workplace`` and has opened its records; None if there is none yet."""
    for process in psutil.process_iter():
        try:
            words = process.cmdline()
            is_training = any(word.endswith("train/one_device.py") for word in words[1:3])
            if is_training and Path(process.cwd()) == workplace.resolve():
                runs, name = words[words.index("--runs") + 1], words[words.index("--name") + 1]
                return process if (Path(runs) / name / "config.json").is_file() else None
        except psutil.Error:
            continue
    return None


class StopStaged(threading.Thread):
    """Sends TERM to a staged training and to the shells above it, as schedulers do that signal the whole job."""

    def __init__(self, workplace: Path) -> None:
        super().__init__(daemon=True)
        self.workplace, self.hit = workplace.resolve(), 0

    def run(self) -> None:
        deadline = time.monotonic() + 200
        while (training := staged_training(self.workplace)) is None:
            assert time.monotonic() < deadline, f"no training in {self.workplace} within 200 s"
            time.sleep(0.01)
        above = [p for p in training.parents() if p.name() in ("bash", "timeout") and self._is_ours(p)]
        for process in [*above, training]:
            process.send_signal(signal.SIGTERM)
            self.hit += 1

    def _is_ours(self, process: psutil.Process) -> bool:
        return Path(process.cwd()) == self.workplace
