"""What Python programs do first in tests and console sessions that put this folder on PYTHONPATH.

So a program waits, or lasts, as long as a test wants, without a changed script and without changed arithmetic. The disk
is the place: a checkpoint is written with two calls of ``os.fsync``, one for the file and one for its folder.

``SLOW_DISK_S``: each call takes so many seconds in a job's first run.
``DISK_WAITS_FOR=FILE``: from the third checkpoint on a call waits until FILE exists, in a job's first run.
``RANKS_IGNORE_TERM``: ranks of torchrun ignore its SIGTERM, and so print their own error before they end.
"""

import itertools
import os
import runpy
import signal
import time
from pathlib import Path

SECONDS = float(os.environ.get("SLOW_DISK_S", "0"))
FILE = os.environ.get("DISK_WAITS_FOR")
CALLS_BEFORE = 4
PATIENCE_S = 240
_fsync = os.fsync
_calls = itertools.count()


def _slow_fsync(descriptor: int) -> None:
    time.sleep(SECONDS)
    _fsync(descriptor)


def _waiting_fsync(descriptor: int) -> None:
    waits = next(_calls) >= CALLS_BEFORE
    deadline = time.monotonic() + PATIENCE_S
    while waits and not os.path.exists(FILE):
        if time.monotonic() > deadline:
            raise SystemExit(f"{FILE} has not come within {PATIENCE_S} s")
        time.sleep(0.02)
    _fsync(descriptor)


if "SLURM_RESTART_COUNT" not in os.environ:
    if SECONDS:
        os.fsync = _slow_fsync
    if FILE:
        os.fsync = _waiting_fsync
if "RANKS_IGNORE_TERM" in os.environ and "RANK" in os.environ:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)

# Python imports one sitecustomize, the first on its path: this one stands in front of that of every test.
runpy.run_path(str(Path(__file__).parents[2] / "scripts" / "workshop" / "book" / "trace" / "sitecustomize.py"))
