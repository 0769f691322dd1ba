"""What Python programs of console sessions do first, where waits.bash puts this folder on PYTHONPATH.

``RANKS_IGNORE_TERM``: ranks of torchrun ignore its SIGTERM, and so print their own error before they end.
``HOLD_TRAINING=FILE``: in a job's first run, saving a checkpoint waits from the fourth one on until FILE exists.
"""

import itertools
import os
import signal
import time

# A checkpoint is written with two calls of os.fsync, for the file and for its folder.
CALLS_BEFORE = 6
PATIENCE_S = 120

_calls = itertools.count()
_fsync = os.fsync


def _held_fsync(descriptor: int) -> None:
    _fsync(descriptor)
    deadline = time.monotonic() + PATIENCE_S
    held = next(_calls) >= CALLS_BEFORE
    while held and not os.path.exists(os.environ["HOLD_TRAINING"]):
        if time.monotonic() > deadline:
            raise TimeoutError(f"{os.environ['HOLD_TRAINING']} has not come within {PATIENCE_S} s")
        time.sleep(0.05)


if "RANKS_IGNORE_TERM" in os.environ and "RANK" in os.environ:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
if "HOLD_TRAINING" in os.environ and "SLURM_RESTART_COUNT" not in os.environ:
    os.fsync = _held_fsync
