"""Put on PYTHONPATH while a notebook runs: writes down which files of the repository Python opened.

Python imports a module named ``sitecustomize`` at start-up, in the kernel and in every Python that it starts. The list
tells which stored execution is out of date when a file changes (see ``workshop.book.execute``).
"""

import os
import sys


def _watch(repo: str, record: str) -> None:
    """Append each file below ``repo`` that this process opens for reading to the file ``record``."""
    seen = set()

    def note(event: str, args: tuple) -> None:
        if event != "open" or not isinstance(args[0], str):
            return
        # Packages are covered by the pins; PyTorch alone opens thousands of files.
        if args[0] in seen or "/site-packages/" in args[0]:
            return
        seen.add(args[0])
        path = os.path.realpath(args[0])  # a folder of jobs may reach the repository through a link
        if path in seen or not path.startswith(repo):
            return
        seen.add(path)
        # os.open raises an audit event of its own; `seen` is filled first, so it ends there.
        try:
            descriptor = os.open(record, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        except OSError:  # run by a user who may not write there: the program must not notice
            return
        os.write(descriptor, f"{path}\n".encode())
        os.close(descriptor)

    seen.add(record)
    sys.addaudithook(note)


if "WORKSHOP_TRACE" in os.environ and "WORKSHOP_TRACE_REPO" in os.environ:
    _watch(os.environ["WORKSHOP_TRACE_REPO"] + os.sep, os.environ["WORKSHOP_TRACE"])
