"""Recordings of PBS and LSF (tests/records), as the pages show them: ``{record} FILE`` with ``:lines: 3-5, 9-12``."""

import re
from pathlib import Path

from workshop.paths import REPO

FOLDER = REPO / "tests" / "records"
CUT = "…"  # stands for the lines between two ranges
_BLOCK = re.compile(r"^ *```\{record\} (\S+)\n *:lines: ([\d, -]+)\n *```$", flags=re.M)


def in_page(text: str) -> list[tuple[str, str]]:
    """File and lines of every ``{record}`` of a page, in reading order."""
    return [(name, lines.strip()) for name, lines in _BLOCK.findall(text)]


def shown(path: Path, lines: str) -> str:
    """The lines ``3-5, 9-12`` of a recording, with a cut mark where something between them is left out.

    Raises:
        ValueError: the lines are not in the file, or not in order.
    """
    # Recordings may hold carriage returns and bytes of any kind: only line feeds end a line.
    recorded = path.read_bytes().decode(errors="replace").replace("\r", "").split("\n")
    out: list[str] = []
    before = 0
    for part in lines.split(","):
        first, last = (int(number) for number in part.split("-"))
        if not before < first <= last <= len(recorded):
            raise ValueError(f"record {path.name}: lines {first}-{last} of {len(recorded)}, after line {before}")
        if before and first > before + 1:
            out.append(CUT)
        out += recorded[first - 1 : last]
        before = last
    return "\n".join(out)
