"""The first error in the log of a job: what to read, and to search for, instead of the log's last lines.

``python scripts/train/first_error.py train-4711.out``

A training of several ranks writes several tracebacks. The first rank to fail takes the others with it ("Connection
closed by peer"), and ``torchrun`` adds a traceback of its own at the end. This program passes over both. It needs no
PyTorch. To use it elsewhere, copy it with ``why.py`` and ``messages.json`` of ``scripts/workshop/logs/``.
"""

import argparse
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
# Copied, the three lie in one folder.
sys.path.append(str(HERE if (HERE / "why.py").is_file() else HERE.parent / "workshop" / "logs"))

import why  # noqa: E402  (found by the line above)


def first_error(log: str) -> why.Found | None:
    """The error that came first, and not what followed from it; None where the log has none.

    Args:
        log: the text of one log, of any number of ranks.
    """
    return why.first_error(log, why.load_messages())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("log", type=Path)
    log = parser.parse_args().log
    error = first_error(log.read_text(errors="replace"))
    if error is None:
        print(f"{log}: no error found")
        return 1
    print(f"line {error.line}" + (f", rank {error.rank}" if error.rank is not None else "") + f": {error.text}")
    if error.where:
        print(f"in {error.where}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
