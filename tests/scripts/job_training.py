"""Watching and disturbing a training that a job script started."""

import json
import signal
import threading
import time
from pathlib import Path

import psutil


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
