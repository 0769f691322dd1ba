"""Put on PYTHONPATH while a notebook or a test runs: quicker starts, and a list of what was opened.

Python imports a module named ``sitecustomize`` at start-up, in the kernel and in every Python that it starts. The list
of the repository's files that Python opened tells which stored execution is out of date when a file changes (see
``workshop.book.execute``).
"""

import atexit
import gc
import os
import sys

# New objects before a collection. Imports make many that stay: with Python's 700, collecting takes as long as a tenth
# of PyTorch's import.
NEW_OBJECTS = 100_000


def _is_a_program(words: list[str]) -> bool:
    """Whether this is a program's file or torchrun: not a kernel, a server or a test process, whose threads share
    sockets that garbage collection closes.
    """
    return any(word.endswith((".py", "/torchrun")) or word == "torch.distributed.run" for word in words[1:4])


def _start_quickly() -> None:
    """Collect garbage less often, and not at the end: a program that imports PyTorch and makes an optimizer needs 3.0
    instead of 4.4 CPU seconds (Python 3.11, torch 2.14.1). What it computes and prints is the same.
    """
    gc.set_threshold(NEW_OBJECTS)
    atexit.register(gc.freeze)


def _watch(repos: list[str], record: str) -> None:
    """Append each file below the first of ``repos`` that this process opens for reading to the file ``record``.

    The others are copies of it: what is opened there is told as the file that it is a copy of.
    """
    names, told = set(), set()
    places = [os.path.realpath(repo) + os.sep for repo in repos]

    def note(event: str, args: tuple) -> None:
        if event != "open" or not isinstance(args[0], str):
            return
        if isinstance(args[2], int) and args[2] & os.O_ACCMODE == os.O_WRONLY:  # our own record, too
            return
        # Packages are covered by the pins; PyTorch alone opens thousands of files.
        if args[0] in names or "/site-packages/" in args[0]:
            return
        names.add(args[0])
        path = os.path.realpath(args[0])  # a folder of jobs may reach the repository through a link
        place = next((place for place in places if path.startswith(place)), None)
        if path in told or place is None:
            return
        told.add(path)
        path = places[0] + path.removeprefix(place)
        try:
            descriptor = os.open(record, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        except OSError:  # run by a user who may not write there: the program must not notice
            return
        os.write(descriptor, f"{path}\n".encode())
        os.close(descriptor)

    sys.addaudithook(note)


# Threads that wait for each other leave their core to others: on two busy cores a training of 2.8 CPU seconds took 10.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
if _is_a_program(sys.orig_argv):
    _start_quickly()
if "WORKSHOP_TRACE" in os.environ and "WORKSHOP_TRACE_REPO" in os.environ:
    _watch(os.environ["WORKSHOP_TRACE_REPO"].split(os.pathsep), os.environ["WORKSHOP_TRACE"])
