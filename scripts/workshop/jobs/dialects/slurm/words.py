"""How sbatch cuts a directive line into words: quotes, backslash, `#` comments (checked against sbatch 22.05.8)."""

from __future__ import annotations

from dataclasses import dataclass

from workshop.jobs.parts.text import BLANKS


@dataclass(frozen=True)
class Word:
    """A word of a directive line.

    Attributes:
        text: quotes removed. raw: as written. line: 1-based. gap: blanks in front. first: no word in front of it.
        cut: text after a ``#`` that stands inside the word, None where there is none. start: column in the line;
            negative where the word stands elsewhere.
    """

    text: str
    raw: str
    line: int
    gap: int
    first: bool
    cut: str | None = None
    start: int = 0


class BadLine(Exception):
    """sbatch gives up on the line.

    Attributes:
        kind: ``quote`` (no closing quote) or ``colon`` (a word that begins with a colon).
        words: the complete words in front. raw: the rest of the line from the bad word on.
    """

    def __init__(self, kind: str, words: list[Word], raw: str) -> None:
        super().__init__(f"{kind}: {raw}")
        self.kind, self.words, self.raw = kind, words, raw


def split(text: str, line: int, column: int = 0) -> list[Word]:
    """Words of ``text`` (what follows ``#SBATCH``, from ``column`` of the line on).

    A ``#`` ends the line wherever it stands unquoted, even inside a word; a backslash takes the next character's
    special meaning, except that a blank still ends the word.

    Raises:
        BadLine: an unmatched quote, or a word that begins with a colon.
    """
    words: list[Word] = []
    position = 0
    while True:
        gap = len(text[position:]) - len(text[position:].lstrip(BLANKS))
        start = position + gap
        if start >= len(text) or text[start] == "#":
            return words
        if text[start] == ":":
            raise BadLine("colon", words, text[start:])
        value, position = _one_word(text, start, words)
        cut = text[position + 1 :] if text[position : position + 1] == "#" else None
        words.append(Word(value, text[start:position], line, gap, not words, cut, column + start))
        if cut is not None:
            return words


def _one_word(text: str, start: int, words: list[Word]) -> tuple[str, int]:
    """(word without quotes, index behind it)."""
    value, quote, escaped, index = [], "", False, start
    while index < len(text) and (quote or text[index] not in BLANKS):
        char = text[index]
        if escaped:
            escaped = False
            value.append(char)
        elif char == "\\":
            escaped = True
        elif quote:
            if char == quote:
                quote = ""
            else:
                value.append(char)
        elif char in "\"'":
            quote = char
        elif char == "#":
            break
        else:
            value.append(char)
        index += 1
    if quote:
        raise BadLine("quote", words, text[start:])
    return "".join(value), index
