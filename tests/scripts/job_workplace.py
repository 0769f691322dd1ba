"""A folder to submit from."""

import sys
from pathlib import Path

from job_training import PYTHON_START
from recording import environment_with

from workshop.paths import REPO


def make_workplace(folder: Path) -> Path:
    """A folder like the repository's root: the real scripts, and an environment to activate."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "scripts").symlink_to(REPO / "scripts")
    if (Path(sys.prefix) / "bin" / "activate").is_file():
        (folder / ".venv").symlink_to(sys.prefix)
    else:  # tests run by an interpreter that is no virtual environment: activate what it can import
        (folder / ".venv" / "bin").mkdir(parents=True)
        (folder / ".venv" / "bin" / "activate").write_text(f'export PATH="{Path(sys.executable).parent}:$PATH"\n')
    environment_with(folder, PYTHONPATH=PYTHON_START)
    return folder
