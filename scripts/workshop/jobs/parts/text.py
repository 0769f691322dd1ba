"""From bytes to numbered lines: decoding, line ends, and scripts that are hidden in a here-document."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass

from workshop.jobs.parts import grammar
from workshop.jobs.parts.csh import is_csh

# Nothing behind this many characters can be a job header; the rest of a huge file is data, not a script.
MAX_CHARS = 400_000
# Nobody writes more than this by hand (characters): what follows is data in no here-document and in no string.
SCRIPT_LIMIT = 200_000
# The body of a longer file (characters) is not read at all.
BODY_LIMIT = 4_000_000

UTF16_MARKS = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}


def words(text: str) -> tuple[str, ...]:
    """The words of a list that is written as text, to keep long tables short."""
    return tuple(text.split())


def decode(data: bytes) -> tuple[str, str]:
    """The text of ``data`` and the name of its encoding; never raises.

    UTF-16 is recognized by its byte order mark or by its zero bytes; anything that is not UTF-8 is read as Latin-1.
    """
    mark = UTF16_MARKS.get(data[:2])
    if mark:
        return data[2:].decode(mark, errors="replace"), "utf-16"
    head = data[:400]
    if len(head) > 8 and head[1::2].count(0) > 0.4 * len(head) / 2 and head[0::2].count(0) == 0:
        return data.decode("utf-16-le", errors="replace"), "utf-16"
    try:
        return data.decode("utf-8"), "utf-8"
    except UnicodeDecodeError:
        return data.decode("latin-1"), "latin-1"


def split_lines(text: str) -> list[str]:
    """Lines cut at LF only, as the schedulers do; a CR stays at the end of its line."""
    lines = text.split("\n")
    if lines and lines[-1] == "":
        lines.pop()
    return lines


@dataclass(frozen=True)
class Heredoc:
    """A here-document: its lines without the terminator.

    Attributes:
        start: 1-based line of its first content line. lines: the content.
        command: the line that opens it. expands: True where the shell expands variables in it.
    """

    start: int
    lines: list[str]
    command: str
    expands: bool


def heredocs(lines: list[str]) -> list[Heredoc]:
    """All here-documents of a shell script, in order; one without its terminator reaches to the end."""
    text = "\n".join(line.rstrip("\r") for line in lines)
    if "<<" not in text or not (grammar.is_shell(text) or is_csh(text)):
        return []
    begins = [0, *(match.end() for match in re.finditer("\n", text))]
    found = []
    text = text[:SCRIPT_LIMIT]
    for document in grammar.here_documents(text):
        first, last = bisect_right(begins, document.body), bisect_right(begins, document.body_end)
        # The last line is the terminator's, or the file ends without one.
        end = last - 1 if document.body_end < len(text) else len(lines)
        opener = lines[bisect_right(begins, document.start) - 1]
        found.append(Heredoc(first, lines[first - 1 : end], opener, expands=not document.quoted))
    return found


def numbered(heredoc: Heredoc) -> list[str]:
    """The content of ``heredoc`` behind as many empty lines as stand above it, so that line numbers stay right."""
    content = heredoc.lines
    if "<<-" in heredoc.command:
        content = [line.lstrip("\t") for line in content]
    return [""] * (heredoc.start - 1) + content


TYPOGRAPHIC = {
    "\u2013": "en dash",
    "\u2014": "em dash",
    "\u2212": "minus sign",
    "\u2010": "hyphen U+2010",
    "\u2011": "hyphen U+2011",
    "\u201c": "curly quote",
    "\u201d": "curly quote",
    "\u2018": "curly quote",
    "\u2019": "curly quote",
    "\u200b": "zero-width space",
}


def typographic(text: str) -> list[tuple[str, str]]:
    """Typographic characters of ``text`` that look like ASCII ones: (character, its name)."""
    return [(char, TYPOGRAPHIC[char]) for char in dict.fromkeys(text) if char in TYPOGRAPHIC]


DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"
CURLY_DOUBLE, CURLY_SINGLE = "\u201c\u201d\u201e", "\u2018\u2019\u201a"
CURLY = CURLY_DOUBLE + CURLY_SINGLE
OPENING, CLOSING = "\u201c\u201e\u2018\u201a", "\u201d\u2019"
STRAIGHT = {
    **dict.fromkeys(DASHES, "-"),
    **dict.fromkeys(CURLY_DOUBLE, '"'),
    **dict.fromkeys(CURLY_SINGLE, "'"),
    "\u200b": "",
}


def plain_ascii(text: str) -> str:
    """``text`` with ASCII hyphens and quotes in place of typographic ones."""
    return "".join(STRAIGHT.get(char, char) for char in text)


def retyped(text: str) -> str:
    """``text`` with plain characters; dashes in front of an option become the one or two hyphens that it wants."""
    text = re.sub(rf"(?<!\S)([{DASHES}-]+)(?=([A-Za-z])([A-Za-z-])?)", _hyphens, text)
    return plain_ascii(text)


def _hyphens(match: re.Match[str]) -> str:
    if match[1].isascii():
        return match[1]
    return "--" if match[3] else "-"


# What C's isspace takes for a blank.
BLANKS = " \t\n\r\f\v"
