"""Kill training at random moments, let it go on, and compare the end with that of an undisturbed run.

python faults.py FOLDER SEED KILLS: used by test_restart_faults.py. PyTorch is imported once and every rank is a fork
of this process, so that a run takes a second and not ten. What the ranks run is ddp_resume.py itself, and what they
get is a real SIGKILL.
"""

import contextlib
import json
import os
import random
import signal
import socket
import sys
import time
from pathlib import Path

TRAIN = Path(__file__).parents[2] / "scripts" / "train"
sys.path.insert(0, str(TRAIN))

import ddp_resume  # noqa: E402
import torch  # noqa: E402
import torch._dynamo  # noqa: E402  (an optimizer imports it: once here, not in each fork)
from torch.utils import tensorboard  # noqa: E402, F401

import restart  # noqa: E402

RANKS = 2
STEPS_BETWEEN_KILLS = 9  # of 50 steps: five kills in a row, then the rest undisturbed
# Dropout makes the random numbers matter; a checkpoint in each step makes many kills hit one that is being written.
OPTIONS = "--samples 400 --epochs 5 --batch-size 32 --dropout 0.3 --checkpoint-every 1 --timeout 20 --check-every 1"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def start(folder: Path) -> list[int]:
    """Fork the ranks of a run; returns their process ids."""
    port, pids = free_port(), []
    for rank in range(RANKS):
        pid = os.fork()
        if pid == 0:
            become(rank, port, folder)
        pids.append(pid)
    return pids


def become(rank: int, port: int, folder: Path) -> None:
    """In the child: be this rank until the end of ddp_resume.py."""
    os.environ |= {
        "RANK": str(rank), "LOCAL_RANK": str(rank), "WORLD_SIZE": str(RANKS), "LOCAL_WORLD_SIZE": str(RANKS),
        "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port),
    }  # fmt: skip
    log = os.open(folder / f"rank{rank}.log", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.dup2(log, 1)
    os.dup2(log, 2)
    sys.argv = ["ddp_resume.py", *OPTIONS.split(), "--runs", str(folder), "--name", "run"]
    status = 0
    try:
        ddp_resume.main()
    except SystemExit as end:
        status = 1 if end.code else 0
        print(end.code or "", flush=True)
    except BaseException:
        sys.excepthook(*sys.exc_info())  # what the interpreter does: launch.py's report
        status = 1
    os._exit(status)


def wait(pids: list[int], limit_s: float) -> list[int]:
    """Exit statuses; whoever is still there after ``limit_s`` is a failure of the time limit."""
    deadline, statuses = time.monotonic() + limit_s, {}
    while len(statuses) < len(pids):
        for pid in set(pids) - set(statuses):
            done, status = os.waitpid(pid, os.WNOHANG)
            if done:
                statuses[pid] = status
        if time.monotonic() > deadline:
            for pid in set(pids) - set(statuses):
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
            raise SystemExit(f"a rank did not end within {limit_s} s after another one died")
        time.sleep(0.005)
    return [statuses[pid] for pid in pids]


def steps_done(folder: Path) -> int:
    """Steps up to the newest checkpoint, by its name."""
    names = [restart.NAME.fullmatch(path.name) for path in (folder / "run" / "checkpoints").glob("*.pt")]
    return max((int(name[1]) for name in names if name), default=0)


def kill_at_random(pids: list[int], folder: Path, dice: random.Random) -> str | None:
    """SIGKILL one rank or all at a random moment; returns what was done, None if the run ended before."""
    checkpoints = folder / "run" / "checkpoints"
    first, more, during_write = steps_done(folder), dice.randint(0, STEPS_BETWEEN_KILLS), dice.random() < 0.4
    delay = dice.uniform(0, 0.05 if more else 1.0)  # more == 0: while it starts, reads and joins
    while steps_done(folder) < first + more:
        if os.waitid(os.P_PID, pids[0], os.WEXITED | os.WNOHANG | os.WNOWAIT):
            return None
        time.sleep(0.001)
    time.sleep(delay)
    limit = time.monotonic() + 1
    while more and during_write and time.monotonic() < limit and not list(checkpoints.glob("*.tmp")):
        time.sleep(0.0002)  # rank 0 is between opening the temporary file and renaming it
    victims = pids if dice.random() < 0.7 else [dice.choice(pids)]
    for pid in victims:
        os.kill(pid, signal.SIGKILL)
    moment = "a checkpoint's write" if list(checkpoints.glob("*.tmp")) else "a step" if more else "the start"
    return f"{'all' if len(victims) == len(pids) else f'rank {pids.index(victims[0])}'} in {moment}"


def stop_at_random(pids: list[int], folder: Path, dice: random.Random) -> bool:
    """SIGTERM to one rank: all stop together. True if they did, False if the run ended before."""
    first, more = steps_done(folder), dice.randint(1, STEPS_BETWEEN_KILLS)
    while steps_done(folder) < first + more:
        if os.waitid(os.P_PID, pids[0], os.WEXITED | os.WNOHANG | os.WNOWAIT):
            break
        time.sleep(0.001)
    with contextlib.suppress(ProcessLookupError):
        os.kill(dice.choice(pids), signal.SIGTERM)
    statuses = wait(pids, limit_s=60)
    if any(statuses):
        raise SystemExit(f"ranks that were told to stop ended with {statuses}: see {folder}/rank0.log")
    return "stopped by SIGTERM" in (folder / "rank0.log").read_text()[-200:]


def unreadable(folder: Path) -> list[str]:
    """Checkpoints with a final name that cannot be read: there must be none."""
    checkpoints = restart.Checkpoints(folder / "run", json.loads((folder / "options.json").read_text()), rank=1)
    problems = []
    for path in checkpoints.files():
        try:
            checkpoints.read(path)
        except ValueError as error:
            problems.append(f"{path.name}: {error}")
    return problems


def last_weights(folder: Path) -> dict[str, torch.Tensor]:
    newest = restart.Checkpoints(folder / "run", {}, rank=1).files()[0]
    state = torch.load(newest, weights_only=True)
    assert state["epoch"] == 5, f"{newest} is not of a finished run"
    return state["model"] | {f"momentum {k}": v["momentum_buffer"] for k, v in state["optimizer"]["state"].items()}


def finish(folder: Path) -> None:
    statuses = wait(start(folder), limit_s=120)
    if any(statuses):
        raise SystemExit(f"a run that nobody disturbed ended with {statuses}: see {folder}/rank0.log")


def main() -> None:
    folder, seed, kills = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    torch.set_num_threads(1)
    dice = random.Random(seed)
    undisturbed = folder / "undisturbed"
    undisturbed.mkdir(parents=True)
    finish(undisturbed)
    expected, done, chain, report, stops, markers = last_weights(undisturbed), 0, 0, [], 0, 0
    options = json.loads((undisturbed / "run" / "config.json").read_text())
    while done < kills:
        chain += 1
        here = folder / f"chain{chain}"
        here.mkdir()
        (here / "options.json").write_text(json.dumps(options))
        for _ in range(5):  # kills in a row before a chain may finish
            if done == kills:
                break
            if dice.random() < 0.2 and stop_at_random(start(here), here, dice):
                stops += 1
                markers += (here / "run" / "REQUEUE").exists()
            pids = start(here)
            what = kill_at_random(pids, here, dice)
            statuses = wait(pids, limit_s=60)
            if what is None or signal.SIGKILL not in statuses:
                continue  # it was over before: that kill does not count
            report.append(what)
            done += 1
            if problems := unreadable(here):
                raise SystemExit(f"seed {seed}, kill {done} ({report[-1]}): unreadable: {problems}")
        finish(here)
        found = last_weights(here)
        different = [name for name in expected if not torch.equal(expected[name], found[name])]
        if different:
            raise SystemExit(f"seed {seed}, chain {chain}: other weights after {report[-5:]}: {different}")
    print(json.dumps({"kills": done, "chains": chain, "stops": stops, "markers": markers, "report": report}))


if __name__ == "__main__":
    main()
