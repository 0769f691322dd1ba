"""A folder to submit from, and the result that all training scripts must reach."""

import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from job_results import result_of
from job_training import write_digits
from job_workplace import make_workplace
from recording import Recorder, environment_with

from workshop.paths import REPO

# The scripts set their own; this is for the programs that the tests start themselves.
QUIET = {"OMP_NUM_THREADS": "1"}


@pytest.fixture
def workplace(tmp_path: Path) -> Path:
    """A fresh folder to submit from."""
    return make_workplace(tmp_path / "work place")  # with a space: paths of real people have them


@pytest.fixture
def workplace_with_image(workplace: Path, image: Callable[[str], Path]) -> Path:
    """A folder to submit from with the image that the job scripts name, and scripts of its own.

    A container sees the folder that is bound, not what a link in it leads to.
    """
    (workplace / "scripts").unlink()
    shutil.copytree(REPO / "scripts" / "train", workplace / "scripts" / "train")
    (workplace / "pytorch-gpu.sif").symlink_to(image("pytorch-cpu"))
    return workplace


@pytest.fixture(scope="session")
def once(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, Callable[[Path], None]], Path]:
    """``once("digits.tar", make)``: a file that ``make(path)`` writes once for all workers of a test run."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    folder = folder / "once"
    folder.mkdir(exist_ok=True)

    def find(name: str, make: Callable[[Path], None]) -> Path:
        path = folder / name
        with (folder / f"{name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not path.exists():  # made under the same name: an archive's folder has the name of its file
                (folder / "new").mkdir(exist_ok=True)
                make(folder / "new" / name)
                (folder / "new" / name).rename(path)
        return path

    return find


@pytest.fixture
def digits(workplace: Path, once: Callable) -> Path:
    """The archive that ``stage_data`` and the project's scripts unpack, in the workplace."""
    (workplace / "data").mkdir()
    return shutil.copyfile(once("digits.tar", write_digits), workplace / "data" / "digits.tar")


@pytest.fixture
def recorder(workplace: Path) -> Recorder:
    """The workplace with a recorder in place of the training programs."""
    return Recorder(workplace)


@pytest.fixture
def disk(workplace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that scripts take for their node's own disk."""
    folder = tmp_path / "disk"
    folder.mkdir()
    for name in ("TMPDIR", "SLURM_TMPDIR"):
        monkeypatch.setenv(name, str(folder))
    environment_with(workplace, TMPDIR=folder)
    return folder


@pytest.fixture(scope="session")
def one_process(once: Callable) -> Callable[[str, int], dict[str, float]]:
    """``one_process("ddp.py", epochs)``: what that program reaches in a single process on this machine."""

    def run(program: str, epochs: int) -> dict[str, float]:
        def train(log: Path) -> None:
            words = [REPO / "scripts" / "train" / program, "--epochs", str(epochs), "--runs", f"{log}.runs"]
            with log.open("w") as file:
                env = os.environ | QUIET
                subprocess.run([sys.executable, *words], env=env, cwd=log.parent, stdout=file, check=True, timeout=250)

        return result_of(once(f"{program}-{epochs}.log", train).read_text())

    return run
