"""The first error in the log of a job: what to read, and to search for, instead of the log's last lines.

``python scripts/train/first_error.py train-4711.out``

A training of several ranks writes several tracebacks. The first rank to fail takes the others with it ("Connection
closed by peer"), and ``torchrun`` adds a traceback of its own at the end. This program passes over both.
"""

import argparse
import re
import sys
from dataclasses import dataclass
from pathlib import Path

# Before each line: "[rank1]: " by PyTorch, "[default1]:" by torchrun --tee, "1: " by srun --label.
PREFIX = re.compile(r"^(?:\[(?:rank|default)(\d+)\]: ?|(\d+): )")
ROOT_CAUSE = re.compile(r"Root Cause.*?\n.*?rank\s+: (\d+)", re.S)
# What ranks and launchers say when *another* rank, or the whole job, has ended.
CONSEQUENCE = re.compile(
    r"ChildFailedError|Connection (?:closed|reset) by peer|Broken pipe|ncclRemoteError|SignalException"
    r"|remote process exited or there was a network error"
    r"|failed to (?:connect|send|recv)|connection to the C10d store has failed|Timed out waiting|Watchdog caught",
    re.I,
)
# Errors of shells, of the kernel and of schedulers: one line each.
PLAIN = re.compile(
    r"error:|fatal:|command not found|[Nn]o such file or directory|Permission denied|unbound variable|[Kk]illed"
    r"|Segmentation fault|Bus error|No space left|quota exceeded|not found \(required by|CANCELLED AT|PBS: job killed"
    r"|^Exited with|^\[E\d{4} |^\w+(?:\.\w+)*(?:Error|Exception): "
)
# torchrun's own lines after a rank has failed, and how the rank ended; what stands before is the rank's last word.
TORCHRUN = re.compile(r"^[EW]\d{4} \S+ \d+ \S*torch/distributed/elastic/")
ENDED_ITSELF = re.compile(r"exitcode\s*: [1-9]")
NO_WORD = re.compile(r"^(?:epoch \d|backend=|result: )")
NO_ERROR = re.compile(r"^\s*(?:#|\[?W\d{4}|warning)|Warning: |warning: ", re.I)


@dataclass
class Found:
    """One error: its line number (from 1), the rank that wrote it if the log says so, its text and its place."""

    line: int
    rank: int | None
    text: str
    where: str = ""

    @property
    def is_consequence(self) -> bool:
        return CONSEQUENCE.search(self.text) is not None


def _split(line: str) -> tuple[int | None, str]:
    """Rank and rest of a line."""
    found = PREFIX.match(line)
    return (int(found[1] or found[2]), line[found.end() :]) if found else (None, line)


def _tracebacks(lines: list[tuple[int | None, str]]) -> list[Found]:
    """The last line of each Python traceback, with the innermost file that it names; ranks may be interleaved."""
    found, open_ = [], {}
    for number, (rank, text) in enumerate(lines, start=1):
        if text.startswith("Traceback (most recent call last)"):
            open_[rank] = ""
        elif rank in open_ and (place := re.match(r'\s+File "(.+)", line (\d+)', text)):
            # The programmer's own file helps more than one inside a package.
            if "site-packages" not in place[1] or not open_[rank]:
                open_[rank] = f"{place[1]}:{place[2]}"
        elif rank in open_ and text.strip() and not text[0].isspace():
            found.append(Found(number, rank, text.strip(), open_.pop(rank)))
    return found


def _last_word(log: str, lines: list[tuple[int | None, str]]) -> list[Found]:
    """Where a rank has ended itself with a message and without a traceback: the line before torchrun's first one."""
    start = next((number for number, (_, text) in enumerate(lines) if TORCHRUN.match(text)), 0)
    words = [number for number in range(start) if lines[number][1].strip()]
    if not words or not ENDED_ITSELF.search(log) or NO_WORD.match(lines[words[-1]][1]):
        return []
    rank, text = lines[words[-1]]
    return [] if CONSEQUENCE.search(text) else [Found(words[-1] + 1, rank, text.strip())]


def first_error(log: str) -> Found | None:
    """The error that came first, and not what followed from it; None where the log has none.

    Args:
        log: the text of one log, of any number of ranks.
    """
    lines = [_split(line) for line in log.replace("\r", "\n").splitlines()]
    errors = _tracebacks(lines)
    known = {e.line for e in errors}
    for number, (rank, text) in enumerate(lines, start=1):
        if number not in known and PLAIN.search(text) and not NO_ERROR.search(text):
            errors.append(Found(number, rank, text.strip()))
    errors.sort(key=lambda error: error.line)
    own = [e for e in errors if not e.is_consequence] or _last_word(log, lines) or errors
    root = ROOT_CAUSE.search(log)
    if root:  # torchrun knows which rank ended first
        own = [e for e in own if e.rank == int(root[1])] or own
    # A traceback says more than a line of the scheduler that happens to stand above it in the file.
    return next((e for e in own if e.where), None) or next(iter(own), None)


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
