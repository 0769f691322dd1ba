"""Running the programs of scripts/train as users do: as files, in their own processes, with a time limit."""

import os
import re
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from workshop.paths import REPO

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
    return env | {"OMP_NUM_THREADS": "1", "PYTHONUNBUFFERED": "1"} | more


def command(program: str, *options: str, ranks: int = 0) -> list[str]:
    """Command line of a program: with ``ranks``, under torchrun."""
    start = [sys.executable]
    if ranks:
        start += ["-m", "torch.distributed.run", "--standalone", f"--nproc-per-node={ranks}"]
    return [*start, str(TRAIN / program), *map(str, options)]


def run_command(words: list[str], cwd: Path, env: dict[str, str] | None = None, timeout: float = 200) -> Done:
    """Run ``words`` in its own session, so that a time-out ends all of its children too."""
    process = subprocess.Popen(
        words,
        cwd=cwd,
        env=env or clean_environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        out, err = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        out, err = process.communicate()
        pytest.fail(f"no end within {timeout} s: {' '.join(words)}\n{out}\n{err}")
    return Done(process.returncode, out, err)
