"""Indices of job arrays: ``1-10:3,20`` in every scheduler, with small differences."""

from __future__ import annotations

import re

from workshop.jobs.model import Array

MOST = 10_000_000  # an index list that spans more is a slip of the pen in every scheduler
SPAN = re.compile(r"(\d+)(?:-(\d+)(?::(\d+))?)?", re.ASCII)

Span = tuple[int, int, int]


def spans(text: str, steps: bool = True) -> list[Span] | None:
    """``1-10:3,20`` as [(first, last, step)]; None where it does not parse.

    Args:
        steps: False where the scheduler knows no ``:3``.
    """
    found = []
    for part in text.split(","):
        match = SPAN.fullmatch(part)
        if not match or (match[3] and not steps):
            return None
        first, last, step = int(match[1]), int(match[2] or match[1]), int(match[3] or 1)
        if last < first or step == 0:
            return None
        found.append((first, last, step))
    return found


def too_many(found: list[Span]) -> bool:
    """True where one span is longer than any scheduler takes."""
    return any(last - first > MOST for first, last, _ in found)


def numbers(found: list[Span]) -> list[int]:
    """All indices, in the order in which they are written."""
    return [index for first, last, step in found for index in range(first, last + 1, step)]


def array(found: list[Span], text: str, limit: int | None) -> Array:
    """The array of these spans.

    Args:
        text: as written, without the limit. limit: how many may run at once, None = no limit.
    """
    step = found[0][2] if len(found) == 1 else None
    if len(found) == 1:
        first, last, _ = found[0]
        count = (last - first) // step + 1
        return Array(first, first + (count - 1) * step, step, text, limit, count)
    indices = set(numbers(found))
    return Array(min(indices), max(indices), step, text, limit, len(indices))
