"""How bsub cuts a #BSUB line into words: quotes, and a word that begins with # ends the options of the line."""

from __future__ import annotations

from workshop.jobs.parts.text import BLANKS


class UnmatchedQuote(Exception):
    """A quote that is not closed on the line."""


def split(text: str) -> list[tuple[str, str]]:
    """Words of ``text`` as (quotes removed, as written).

    Raises:
        UnmatchedQuote: a quote is still open at the end.
    """
    words: list[tuple[str, str]] = []
    index, size = 0, len(text)
    while True:
        while index < size and text[index] in BLANKS:
            index += 1
        if index >= size or text[index] == "#":
            return words
        start, value, quote = index, [], ""
        while index < size and (quote or text[index] not in BLANKS):
            char = text[index]
            if quote and char == quote:
                quote = ""
            elif not quote and char in "\"'":
                quote = char
            else:
                value.append(char)
            index += 1
        if quote:
            raise UnmatchedQuote(text[start:])
        words.append(("".join(value), text[start:index]))
