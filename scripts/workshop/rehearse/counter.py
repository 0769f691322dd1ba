"""The next job id. Each rehearsal gets a new one, so that two never share a log file. Standard library only."""

from __future__ import annotations

import fcntl
import os
import sys
from pathlib import Path

# A new practice cluster numbers its jobs from 1: high numbers keep the two from writing to one log file.
FIRST_ID = 10001


def counter_file() -> Path:
    """The file with the last id: in ``WORKSHOP_REHEARSE_DIR``, else in ``~/.local/state/workshop/rehearse`` (XDG)."""
    state = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local/state")
    folder = Path(os.environ.get("WORKSHOP_REHEARSE_DIR") or state / "workshop" / "rehearse")
    return folder / "last_job_id"


def next_id(path: Path) -> int:
    """One more than the last id; safe for several rehearsals at once."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        number = int(file.read() or FIRST_ID - 1) + 1
        file.seek(0)
        file.truncate()
        file.write(str(number))
    return number


if __name__ == "__main__":
    print(next_id(Path(sys.argv[1])))
