"""A slow disk, for tests: what ``os.fsync`` does in Python programs that are started with this folder on PYTHONPATH.

A checkpoint is written with two calls, one for the file and one for its folder. So a short training lasts as long as a
test wants, without a changed script and without changed arithmetic.

``SLOW_DISK_S``: each call takes so many seconds in a job's first run.
``DISK_WAITS_FOR=FILE``: from the third checkpoint on a call waits until FILE exists.
"""

import itertools
import os
import time

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


if SECONDS and "SLURM_RESTART_COUNT" not in os.environ:
    os.fsync = _slow_fsync
if FILE:
    os.fsync = _waiting_fsync
