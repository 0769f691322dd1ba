"""Holding a training at a known place, so that a signal meets it there and not when it has just ended."""

import functools
import os
import time
from collections.abc import Callable
from pathlib import Path

LIMIT_S = 60


def at_checkpoint(step: int, signs: Path) -> Callable[[], None]:
    """For ``train_forks.start(before=…)``: rank 0 waits in the middle of writing the checkpoint of ``step``.

    It makes ``signs/held`` when it is there, and goes on when ``signs/go`` appears. The others wait for it in their
    next collective, so all ranks are in a known step.
    """
    return functools.partial(_hold_fsync, f"step-{step:08d}", signs)


def _hold_fsync(name: str, signs: Path) -> None:
    really = os.fsync

    def fsync(descriptor: int) -> None:
        if Path(os.readlink(f"/proc/self/fd/{descriptor}")).name == f"{name}.tmp":
            (signs / "held").touch()
            deadline = time.monotonic() + LIMIT_S
            while not (signs / "go").exists():
                if time.monotonic() > deadline:
                    raise SystemExit(f"held for {LIMIT_S} s, and nobody said go")
                time.sleep(0.005)
        really(descriptor)

    os.fsync = fsync
