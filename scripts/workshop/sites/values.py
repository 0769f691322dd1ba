"""The words of site files: facts with their provenance, amounts, errors. The standard library only: no YAML is read."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workshop.paths import COURSE

SECONDS = {"s": 1, "min": 60, "h": 3600, "d": 86400}
BYTES = {"K": 1024, "M": 1024**2, "G": 1024**3, "T": 1024**4}


class SiteError(ValueError):
    """A site file that cannot be used; the message lists every problem with file, line, key and remedy."""


@dataclass(frozen=True)
class Fact:
    """One statement on a site. ``key`` is its dotted place, ``sources`` the short names of its sources."""

    key: str
    value: Any
    sources: tuple[str, ...]
    checked: str | None


def parse_time(text: str) -> int:
    """Seconds of a duration as site files write it (``15 min``, ``24 h``, ``7 d``)."""
    number, unit = text.split()
    return int(number) * SECONDS[unit]


def parse_memory(text: str) -> int:
    """Bytes of an amount as site files write it (``256M``, ``124G``; powers of 1024, as in Slurm)."""
    return int(text[:-1]) * BYTES[text[-1]]


def show_path(path: Path) -> str:
    """The path as a reader types it: from the repository's root where it lies inside."""
    resolved = path.resolve()
    return str(resolved.relative_to(COURSE)) if COURSE and resolved.is_relative_to(COURSE) else str(path)
