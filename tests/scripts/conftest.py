"""A folder to submit from, and the result that all training scripts must reach."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from job_results import result_of

from workshop.paths import REPO

# The scripts set their own; this is for the programs that the tests start themselves.
QUIET = {"OMP_NUM_THREADS": "1"}


def make_workplace(folder: Path) -> Path:
    """A folder like the repository's root: the real scripts, and an environment to activate."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "scripts").symlink_to(REPO / "scripts")
    if (Path(sys.prefix) / "bin" / "activate").is_file():
        (folder / ".venv").symlink_to(sys.prefix)
    else:  # tests run by an interpreter that is no virtual environment: activate what it can import
        (folder / ".venv" / "bin").mkdir(parents=True)
        (folder / ".venv" / "bin" / "activate").write_text(f'export PATH="{Path(sys.executable).parent}:$PATH"\n')
    return folder


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


@pytest.fixture(autouse=True)
def own_counter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rehearsals count their jobs in the test's folder."""
    monkeypatch.setenv("WORKSHOP_REHEARSE_DIR", str(tmp_path / "rehearse"))


@pytest.fixture(scope="session")
def one_process(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, int], dict[str, float]]:
    """``one_process("ddp.py", epochs)``: what that program reaches in a single process on this machine."""
    known: dict[tuple[str, int], dict[str, float]] = {}
    folder = tmp_path_factory.mktemp("reference")

    def run(program: str, epochs: int) -> dict[str, float]:
        if (program, epochs) not in known:
            command = [
                sys.executable,
                str(REPO / "scripts" / "train" / program),
                "--epochs",
                str(epochs),
                "--runs",
                str(folder),
            ]
            done = subprocess.run(
                command,
                env={**os.environ, **QUIET},
                cwd=folder,
                capture_output=True,
                text=True,
                check=True,
                timeout=250,
            )
            known[program, epochs] = result_of(done.stdout)
        return known[program, epochs]

    return run
