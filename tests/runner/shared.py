"""What the workers of one run share: a folder with a file for each thing that has happened.

A test marked ``@pytest.mark.awaited(…)`` leaves such a file when it has ended, and others wait for it with the fixture
``after``. Waiting is for that file, with a limit only for the case that a worker died.
"""

import contextlib
import json
import os
import shutil
import signal
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

# The folder of the run, for its workers.
VARIABLE = "WORKSHOP_TEST_RUN"
LIMIT_S = 1200


def is_worker(config: pytest.Config) -> bool:
    """Whether this process runs tests for another one (pytest-xdist)."""
    return hasattr(config, "workerinput")


def worker_name(config: pytest.Config) -> str:
    """``gw0``, ``gw1`` …; ``main`` without pytest-xdist."""
    return config.workerinput["workerid"] if is_worker(config) else "main"


def begin(config: pytest.Config) -> None:
    """Make the folder of this run, in the process that is nobody's worker."""
    if not is_worker(config):
        before, folder = os.environ.get(VARIABLE), tempfile.mkdtemp(prefix="workshop-tests-")
        os.environ[VARIABLE] = folder
        config.add_cleanup(lambda: _end(folder, before))


def _end(folder: str, before: str | None) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    os.environ.pop(VARIABLE)
    if before is not None:
        os.environ[VARIABLE] = before


def folder() -> Path:
    """The folder of this run."""
    return Path(os.environ[VARIABLE])


def write(name: str, value: object) -> None:
    """Leave a value for the other workers; they see the whole file or none."""
    target = folder() / name
    part = target.with_suffix(f".{os.getpid()}")
    part.write_text(json.dumps(value))
    part.rename(target)


def read(name: str, limit_s: float = LIMIT_S) -> object:
    """Wait for a value that another worker leaves.

    Raises:
        TimeoutError: it did not come.
    """
    path, deadline = folder() / name, time.monotonic() + limit_s
    while not path.is_file():
        if time.monotonic() > deadline:
            raise TimeoutError(f"{name} did not come within {limit_s:.0f} s")
        time.sleep(0.1)
    return json.loads(path.read_text())


def _ended(nodeid: str) -> str:
    return "ended-" + "".join(c if c.isalnum() else "-" for c in nodeid) + ".json"


def say_ended(nodeid: str, good: bool) -> None:
    """Tell the other workers how a test that they wait for has ended."""
    write(_ended(nodeid), good)


@contextlib.contextmanager
def _no_time_limit() -> Iterator[None]:
    """Stop the clock of pytest-timeout: waiting for another test is none of a test's own time."""
    left, _ = signal.setitimer(signal.ITIMER_REAL, 0)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, left)


def waiter(session: pytest.Session) -> Callable[[str], list[str]]:
    """``after("notebooks/")``: wait for the tests of this run that are awaited and begin so; those that failed."""
    awaited = [item.nodeid for item in session.items if item.get_closest_marker("awaited")]

    def after(start: str) -> list[str]:
        with _no_time_limit():
            return [nodeid for nodeid in awaited if nodeid.startswith(start) and not read(_ended(nodeid))]

    return after
