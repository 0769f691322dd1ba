"""What is left over on a directive line of PBS or LSF, written so that the scheduler takes it: `Write` where the
meaning is certain, words where it is not."""

from __future__ import annotations

import re

from workshop.jobs.model import Directive, Edit, Write
from workshop.jobs.parts.directives import columns, respelt
from workshop.jobs.parts.text import CLOSING, CURLY, CURLY_DOUBLE, DASHES, OPENING, plain_ascii

RETYPE = "retype it with the plain ASCII - ' \""


def comment_above(number: int, line: str, start: int, remark: str) -> Write:
    """A remark on a line of its own above, for directives that have no comments."""
    kept, text = line[:start].rstrip(), "# " + remark.lstrip("# \t").rstrip()
    return Write(
        f"the comment on a line of its own above: {text}",
        Edit(number, new=text, kind="insert"),
        Edit(number, line[len(kept) :], "", len(kept)),
    )


def joined(number: int, line: str, start: int) -> str:
    """A value without the blanks around its ``=`` and behind its commas; ``start``: column of the option's value."""
    value = line[start:].rstrip()
    text = re.sub(r"\s*([=:,+])\s*", r"\1", value)
    if re.search(r"\s|[\"'#\\]", text):
        return "the value without blanks"
    return respelt(number, line, start, start + len(value), text)


def dashes(number: int, line: str, start: int, raw: str) -> str:
    """An option with the one hyphen that it needs."""
    plain = re.sub(rf"^[-{DASHES}]+", "-", plain_ascii(raw))
    return respelt(number, line, start, start + len(raw), plain) if re.match(r"-[A-Za-z]", plain) else RETYPE


def inside_curly(value: str) -> str | None:
    """The text between curly quotes; where one of the two is missing, all but the other. None for all others."""
    opened, closed = value[:1] in tuple(OPENING), value[-1:] in tuple(CLOSING)
    if not opened and value[-1:] not in tuple(CURLY_DOUBLE):  # a single one may be an apostrophe
        return None
    inside = value[opened : len(value) - closed]
    another_option = not (opened and closed) and re.search(r"\s-", inside)
    return None if another_option or not inside or re.search(rf"[{CURLY}\"'#\\]", inside) else inside


def in_straight_quotes(number: int, line: str, start: int) -> str | None:
    """A value in curly quotes that reaches to the line's end; None for all others."""
    value = line[start:].rstrip()
    inside = inside_curly(value)
    return None if inside is None else respelt(number, line, start, start + len(value), f'"{inside}"')


def plain_value(number: int, line: str, span: tuple[int, int] | None) -> str:
    """A value with ASCII signs in place of typographic ones; not one that has a quote inside quotes."""
    if span and (whole := in_straight_quotes(number, line, span[0])):
        return whole
    value = line[slice(*span)] if span else ""
    text = plain_ascii(value)
    if not span or (re.search("[\"']", value) and re.search(f"[{CURLY}]", value)) or "/" in value:
        return RETYPE
    return respelt(number, line, *span, text) if text.count('"') % 2 == 0 and text.count("'") % 2 == 0 else RETYPE


def item(directives: list[Directive], number: int | None, option: str, old: str, new: str) -> str:
    """``new`` for ``old`` inside the value of an option on one line; words where it does not stand there once."""
    for directive in directives:
        if directive.line != number or directive.option != option or directive.span is None:
            continue
        start, end = directive.span
        if directive.text[start:end].count(old) == 1:
            place = directive.text.index(old, start)
            return respelt(directive.line, directive.text, place, place + len(old), new)
    return f"{option} {new}"


class Places:
    """Where the words of one directive line stand.

    Args:
        number, line: the line. raws: its words as written. start: column behind the keyword.
            None for a line that is continued on the next: its words have no certain place.
    """

    def __init__(self, number: int, line: str, raws: list[str], start: int | None) -> None:
        self.number, self.line, self.raws = number, line, raws
        self.spans = columns(line, raws, start) if start is not None else None

    def span(self, index: int, skip: int = 0) -> tuple[int, int] | None:
        """Columns of a word without its first ``skip`` characters (a letter with its dash)."""
        if self.spans is None or not 0 <= index < len(self.spans):
            return None
        start, end = self.spans[index]
        return (start + skip, end) if self.line[start:end] == self.raws[index] else None
