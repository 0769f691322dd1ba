"""A copy of the repository in which something is changed, and commands that run there."""

import contextlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from workshop.paths import REPO


def environment_of(copy: Path) -> dict[str, str]:
    """The variables for a program in the copy, which finds the copy's own package `workshop`."""
    env = {**os.environ, "PYTHONPATH": str(copy / "scripts"), "REPO": str(copy)}
    env["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), env["PATH"]])
    for name in [name for name in env if name.startswith(("PYTEST_", "COV_"))]:
        del env[name]
    return env


def run_in(copy: Path, *command: str) -> subprocess.CompletedProcess:
    """Run a command in the copy, with the copy's own package `workshop`; standard error is part of the output."""
    env = environment_of(copy)
    return subprocess.run(
        command, cwd=copy, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )


def copy_repository(root: Path, wanted: Callable[[str], bool] = lambda name: True) -> Path:
    """Copy what git tracks or would track, as far as ``wanted``, to the folder ``root``, a repository of its own."""
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    for name in subprocess.run(listed, cwd=REPO, capture_output=True, text=True, check=True).stdout.split("\0"):
        if name and (REPO / name).is_file() and wanted(name):
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            with contextlib.suppress(FileNotFoundError):  # a program that runs beside this has removed its own file
                shutil.copy(REPO / name, root / name)
    subprocess.run(["git", "init", "--quiet", "."], cwd=root, check=True)
    return root
