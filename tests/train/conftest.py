"""The fixtures ``train`` and ``once``, and the programs of scripts/train as modules for the tests."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from filelock import FileLock

import train_forks
from train_running import Done


@pytest.fixture(scope="session")
def forks():
    """The module ``train_forks``; the parent of all forks ends with the tests."""
    train_forks.be_ready()
    yield train_forks
    train_forks.stop_parent()


@pytest.fixture(autouse=True)
def no_rank_is_left():
    """A test that fails while ranks run ends them."""
    yield
    train_forks.end_all()


@pytest.fixture
def train(forks, tmp_path):
    """``train("ddp.py", "--epochs", 2, ranks=2)``: run a program in a fresh folder, see ``train_forks.run``."""

    def go(program: str | Path, *options, cwd: Path = tmp_path, **how) -> Done:
        return forks.run(program, *options, cwd=cwd, **how)

    return go


@pytest.fixture(scope="session")
def once(tmp_path_factory) -> Callable[[str, Callable[[Path], None]], Path]:
    """``once("name", make)``: a folder that ``make(folder)`` has filled, once in a test run with several workers."""
    own = tmp_path_factory.getbasetemp()
    shared = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own

    def folder_of(name: str, make: Callable[[Path], None]) -> Path:
        folder = shared / f"once-{name}"
        with FileLock(shared / f"once-{name}.lock"):
            if not (folder / "complete").exists():
                folder.mkdir(exist_ok=True)
                make(folder)
                (folder / "complete").touch()
        return folder

    return folder_of
