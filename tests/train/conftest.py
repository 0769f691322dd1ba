"""The fixture ``train``, and the programs of scripts/train as modules for the tests."""

from pathlib import Path

import pytest

from train_running import Done, command, run_command


@pytest.fixture
def train(tmp_path):
    """``train("ddp.py", "--epochs", 2, ranks=2)``: run a program in a fresh folder."""

    def go(program: str, *options, ranks: int = 0, env=None, cwd: Path = tmp_path, timeout: float = 200) -> Done:
        return run_command(command(program, *options, ranks=ranks), cwd, env, timeout)

    return go
