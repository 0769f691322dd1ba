"""A slow disk, for tests: with this folder on PYTHONPATH, ``os.fsync`` takes seconds in a job's first run.

So a short training lasts until its walltime without a changed script and without changed arithmetic.
"""

import os
import time

SECONDS = float(os.environ.get("SLOW_DISK_S", "0"))
_fsync = os.fsync


def _slow_fsync(descriptor: int) -> None:
    time.sleep(SECONDS)
    _fsync(descriptor)


if SECONDS and "SLURM_RESTART_COUNT" not in os.environ:
    os.fsync = _slow_fsync
