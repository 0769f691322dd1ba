"""From bytes to numbered lines: decoding, line ends, and scripts that are hidden in a here-document."""

from __future__ import annotations

import re
from dataclasses import dataclass

# Nothing behind this many characters can be a job header; the rest of a huge file is data, not a script.
MAX_CHARS = 400_000

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


# The word after << may stand in quotes; then nothing in the document is expanded. <<< is something else.
HEREDOC = re.compile(r"(?<!<)<<(?P<dash>-?)\s*(?P<quote>['\"\\]?)(?P<word>[A-Za-z_][\w.]*)(?!\()")


def heredocs(lines: list[str]) -> list[Heredoc]:
    """All here-documents of a shell script, in order; one without its terminator reaches to the end."""
    found = []
    index = 0
    while index < len(lines):
        line = lines[index]
        opened = None if line.lstrip().startswith("#") else HEREDOC.search(line)
        index += 1
        if not opened:
            continue
        start = index
        while index < len(lines):
            text = lines[index].rstrip("\r")
            if (text.lstrip("\t") if opened["dash"] else text) == opened["word"]:
                break
            index += 1
        found.append(Heredoc(start + 1, lines[start:index], line, expands=not opened["quote"]))
        index += 1
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
    "\u00a0": "no-break space",
    "\u200b": "zero-width space",
}


# What is typed in place of each; a blank that is none, or has no width, is not meant here.
DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"
CURLY_DOUBLE, CURLY_SINGLE = "\u201c\u201d\u201e", "\u2018\u2019\u201a"
CURLY = CURLY_DOUBLE + CURLY_SINGLE
OPENING, CLOSING = "\u201c\u201e\u2018\u201a", "\u201d\u2019"
PLAIN = str.maketrans(dict.fromkeys(DASHES, "-") | dict.fromkeys(CURLY_DOUBLE, '"') | dict.fromkeys(CURLY_SINGLE, "'"))


def plain_ascii(text: str) -> str:
    """``text`` with ASCII hyphens and quotes in place of typographic ones."""
    return text.translate(PLAIN)


def typographic(text: str) -> list[tuple[str, str]]:
    """Typographic characters of ``text`` that look like ASCII ones: (character, its name)."""
    return [(char, TYPOGRAPHIC[char]) for char in dict.fromkeys(text) if char in TYPOGRAPHIC]
