"""Running the programs of scripts/train as users do: as files, in their own processes, with a time limit."""

import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import pytest

from workshop.paths import REPO

import train_stacks

TRAIN = REPO / "scripts" / "train"
sys.path.insert(0, str(TRAIN))

# Variables by which a launcher or scheduler around the tests could mislead the programs under test.
LAUNCHERS = re.compile(
    r"^(RANK|WORLD_SIZE|LOCAL_RANK|LOCAL_WORLD_SIZE|MASTER_|TORCHELASTIC|SLURM_|PMI|PMIX|OMPI_|PALS_|JSM_|MPI_LOCAL"
    r"|PBS_|LSB_|LSF_|CUDA_VISIBLE|ROCR_|HIP_|ZE_AFFINITY)"
)


@dataclass
class Done:
    """A finished program: exit status, both streams, and the figures of its last line."""

    status: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()

    @property
    def result(self) -> dict[str, float]:
        last = [line for line in self.lines if line.startswith("result: ")]
        assert len(last) == 1, f"expected one line 'result: …' in\n{self.out}\n{self.err}"
        return {name: float(value) for name, value in re.findall(r"(\w+)=(\S+)", last[0])}


def clean_environment(**more: str) -> dict[str, str]:
    """This process's environment without any launcher's variables; one thread a process."""
    env = {name: value for name, value in os.environ.items() if not LAUNCHERS.match(name)}
    # Two of the tests' processes share two cores; the progress bar and warnings are part of what is tested.
    # A process that lasts too long can say where it is: train_stacks.
    return env | {"OMP_NUM_THREADS": "1", "PYTHONUNBUFFERED": "1", "PYTHONFAULTHANDLER": "1"} | more


def command(program: str, *options: str, ranks: int = 0) -> list[str]:
    """Command line of a program: with ``ranks``, under torchrun."""
    start = [sys.executable]
    if ranks:
        start += ["-m", "torch.distributed.run", "--standalone", f"--nproc-per-node={ranks}"]
    return [*start, str(TRAIN / program), *map(str, options)]


class Job:
    """A program that runs, a launcher for instance. A time limit ends all its processes, and says where each was."""

    def __init__(self, words: list[str], cwd: Path, env: dict[str, str] | None, streams: list[Path]):
        """``streams``: the files for stdout and stderr; one file for both, if there is only one."""
        self.words, self.streams = words, streams
        with open(streams[0], "wb") as out, open(streams[-1], "ab") as err:
            how = {"cwd": cwd, "env": env or clean_environment(), "start_new_session": True}
            same = subprocess.STDOUT if len(streams) == 1 else err
            self.process = subprocess.Popen(words, stdout=out, stderr=same, **how)
        self.pid, self.signal = self.process.pid, self.process.send_signal

    def wait(self, limit_s: float) -> int:
        """Its exit status; the test fails if it is still there after ``limit_s``."""
        try:
            return self.process.wait(limit_s)
        except subprocess.TimeoutExpired:
            self.fail(f"no end within {limit_s} s")

    def wait_for(self, happened: Callable[[], object], limit_s: float) -> None:
        """Wait until ``happened()``; the test fails if the program ends before, or after ``limit_s``."""
        deadline = time.monotonic() + limit_s
        while not happened():
            if self.process.poll() is not None or time.monotonic() > deadline:
                self.fail(f"it did not happen within {limit_s} s; status {self.process.returncode}")
            time.sleep(0.05)

    def said(self) -> str:
        """All that was printed so far."""
        return "".join(path.read_text(errors="replace") for path in self.streams)

    def fail(self, why: str) -> NoReturn:
        """End it and fail the test, with all that it said and what its processes were doing."""
        said = self.said()
        pytest.fail(f"{why}: {' '.join(self.words)}\n{said}\n{self.end()}")

    def end(self) -> str:
        """End what is still there; returns what it was doing."""
        doing = train_stacks.end_with_stacks([self.pid], self.streams[-1]) if self.process.poll() is None else ""
        self.process.wait()
        return doing


def run_command(words: list[str], cwd: Path, env: dict[str, str] | None = None, timeout: float = 200) -> Done:
    """Run ``words`` to their end."""
    with tempfile.TemporaryDirectory() as folder:
        streams = [Path(folder) / "out", Path(folder) / "err"]
        status = Job(words, cwd, env, streams).wait(timeout)
        return Done(status, *(path.read_text() for path in streams))
