"""Watching and disturbing a training that a job script started."""

import json
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import psutil
from recording import environment_with

from workshop.paths import REPO

# What Python does first where this folder is on PYTHONPATH: it can make the disk slow, or have it wait.
PYTHON_START = Path(__file__).parents[1] / "python_start"


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


def wait_for_epoch(workplace: Path, prefix: str, epochs: int = 1, timeout_s: float = 600) -> None:
    """Until that many epochs are recorded."""
    deadline = time.monotonic() + timeout_s
    while epochs_done(workplace, prefix) < epochs:
        assert time.monotonic() < deadline, f"no epoch of runs/{prefix}* within {timeout_s} s"
        time.sleep(0.05)


class Disturbance(threading.Thread):
    """Sends a signal to ranks while the third epoch's checkpoint waits to be written: two are on the disk by then.

    Args:
        workplace: folder where the training runs. prefix: beginning of the run's name. number: signal.
        all_ranks: to every rank (a preemption) or only to the first found (a crash).
    """

    def __init__(self, workplace: Path, prefix: str, number: signal.Signals, *, all_ranks: bool) -> None:
        super().__init__(daemon=True)
        self.workplace, self.prefix, self.number, self.all_ranks = workplace, prefix, number, all_ranks
        self.hit = 0
        self.go = hold_third_checkpoint(workplace)

    def run(self) -> None:
        wait_for_epoch(self.workplace, self.prefix, 3)
        found = workers(self.workplace)
        for process in found if self.all_ranks else found[:1]:
            process.send_signal(self.number)
            self.hit += 1
        self.go.touch()


def hold_third_checkpoint(workplace: Path) -> Path:
    """Trainings in this folder do not get past their third epoch before the file that this gives exists."""
    go = workplace / "go"
    environment_with(workplace, DISK_WAITS_FOR=go)
    return go


def learning_rates(workplace: Path) -> dict[str, float]:
    """Learning rate of each run of the array, by the name of its folder, for runs that recorded all their epochs."""
    rates = {}
    for folder in workplace.glob("runs/array-lr*"):
        config = json.loads((folder / "config.json").read_text())
        if len((folder / "metrics.jsonl").read_text().splitlines()) == config["epochs"]:
            rates[folder.name] = config["lr"]
    return rates


# What the tasks of ``array`` and of ``project_sweep`` try: learning rate; learning rate and batch size.
RATES = ["0.1", "0.03", "0.01", "0.003"]
SWEEP = [(rate, size) for rate in ("0.2", "0.05", "0.0125") for size in ("32", "128")]


def write_digits(archive: Path) -> None:
    """The archive that ``stage_data`` unpacks."""
    subprocess.run([sys.executable, REPO / "scripts" / "train" / "make_archive.py", archive], check=True, timeout=100)
