"""How qsub cuts a directive line into words (make_argv() in OpenPBS's qsub.c): blanks, quotes, backslash."""

from __future__ import annotations

from workshop.jobs.parts.text import BLANKS


class UnmatchedQuote(Exception):
    """A quote that is not closed on the line."""


def split(text: str) -> list[tuple[str, str]]:
    """Words of ``text`` as (quotes removed, as written). There are no comments here: ``#`` is an ordinary character.

    Raises:
        UnmatchedQuote: a quote is still open at the end.
    """
    words: list[tuple[str, str]] = []
    index, size = 0, len(text)
    while True:
        while index < size and text[index] in BLANKS:
            index += 1
        if index >= size:
            return words
        start, value, quote = index, [], ""
        while index < size and (quote or text[index] not in BLANKS):
            char = text[index]
            if quote:
                if char == quote:
                    quote = ""
                else:
                    value.append(char)
            elif char in "\"'":
                quote = char
            elif char == "\\" and index + 1 < size:
                index += 1
                value.append(text[index])
            else:
                value.append(char)
            index += 1
        if quote:
            raise UnmatchedQuote(text[start:])
        words.append(("".join(value), text[start:index]))
