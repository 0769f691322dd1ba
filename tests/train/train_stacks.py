"""End programs that last too long, and say what each of their processes was doing.

With PYTHONFAULTHANDLER in its environment (``clean_environment`` sets it) Python prints the stacks of its threads at
SIGABRT, wherever it is, and ends. Its forks inherit that.
"""

import contextlib
import signal
import time
from collections.abc import Iterable
from pathlib import Path

import psutil

PRINTED_WITHIN_S = 20  # for each process; one in a call of the kernel that never ends prints nothing
LISTS_OF_LIBRARIES = "Extension modules: "


def end_with_stacks(pids: Iterable[int], errors: Path) -> str:
    """End these processes and all that they have started; returns what each was doing.

    Args:
        pids: of a launcher, or of ranks. Those that are already gone are passed over.
        errors: the file of their stderr, to which the stacks are added.
    """
    family = _family(pids)
    abouts = [_about(process) for process in family]
    for process in family:  # else a rank would fail, and end, when the first one is gone
        with contextlib.suppress(psutil.NoSuchProcess):
            process.suspend()
    return "\n".join(f"{about}\n{_end(process, errors)}" for about, process in zip(abouts, family, strict=True))


def _family(pids: Iterable[int]) -> list[psutil.Process]:
    """The processes and their descendants, each before its children."""
    found = []
    for pid in pids:
        with contextlib.suppress(psutil.NoSuchProcess):
            process = psutil.Process(pid)
            found += [process, *process.children(recursive=True)]
    return list(dict.fromkeys(found))


def _about(process: psutil.Process) -> str:
    """``--- process 4711 of 4700, sleeping, 1.3 CPU seconds: python train.py``."""
    words, state, seconds = "?", "gone", 0.0
    with contextlib.suppress(psutil.NoSuchProcess):
        state, seconds = process.status(), sum(process.cpu_times()[:2])
        words = " ".join(process.cmdline())  # a zombie has none
    with contextlib.suppress(psutil.NoSuchProcess):
        return f"--- process {process.pid} of {process.ppid()}, {state}, {seconds:.1f} CPU seconds: {words}"
    return f"--- process {process.pid}, gone"


def _end(process: psutil.Process, errors: Path) -> str:
    """What the process printed when it was told to."""
    before = errors.stat().st_size
    with contextlib.suppress(psutil.NoSuchProcess):
        process.send_signal(signal.SIGABRT)
        process.resume()
    deadline = time.monotonic() + PRINTED_WITHIN_S
    while not _is_over(process) and time.monotonic() < deadline:
        time.sleep(0.02)
    with contextlib.suppress(psutil.NoSuchProcess):
        process.kill()
    printed = errors.read_bytes()[before:].decode(errors="replace")
    return "\n".join(line for line in printed.splitlines() if line and not line.startswith(LISTS_OF_LIBRARIES))


def _is_over(process: psutil.Process) -> bool:
    """Has it ended? A zombie has: nobody may be there to ask for its status."""
    try:
        return process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True
