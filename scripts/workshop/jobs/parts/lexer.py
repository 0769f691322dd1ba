"""A directive line cut into words: blanks part them, and quotes keep a blank inside. What else counts differs from
scheduler to scheduler, and is its `Grammar`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from workshop.jobs.parts.text import BLANKS


@dataclass(frozen=True)
class Grammar:
    """What the words of one scheduler's directive lines are.

    Attributes:
        comment: where ``#`` ends the line: ``first`` (of a word), ``anywhere`` outside quotes, or ``""`` (nowhere).
        bad: characters with which no word may begin.
        backslash: (text, its index, inside quotes) -> (what it stands for, index behind that); None where it is an
            ordinary character. Without this function it always is.
    """

    comment: str = ""
    bad: str = ""
    backslash: Callable[[str, int, bool], tuple[str, int] | None] | None = None


@dataclass(frozen=True)
class Token:
    """A word: quotes removed, and the columns that it takes in the text."""

    text: str
    start: int
    end: int


class Uncut(Exception):
    """The line cannot be cut any further.

    Attributes:
        kind: ``quote`` (it is not closed) or ``start`` (a word begins with a bad character). start: of that word.
    """

    def __init__(self, kind: str, start: int) -> None:
        super().__init__(f"{kind}: {start}")
        self.kind, self.start = kind, start


def tokens(text: str, grammar: Grammar) -> Iterator[Token]:
    """The words of ``text``, one after the other.

    Raises:
        Uncut: when it comes to the word that is wrong.
    """
    position = 0
    while True:
        while position < len(text) and text[position] in BLANKS:
            position += 1
        if position >= len(text) or (grammar.comment and text[position] == "#"):
            return
        if text[position] in grammar.bad:
            raise Uncut("start", position)
        found = _token(text, position, grammar)
        yield found
        position = found.end


def _token(text: str, start: int, grammar: Grammar) -> Token:
    value, quote, index = [], "", start
    while index < len(text) and (quote or text[index] not in BLANKS):
        char = text[index]
        escaped = grammar.backslash(text, index, bool(quote)) if char == "\\" and grammar.backslash else None
        if escaped is not None:
            value.append(escaped[0])
            index = escaped[1]
            continue
        if char == quote:
            quote = ""
        elif not quote and char in "\"'":
            quote = char
        elif not quote and char == "#" and grammar.comment == "anywhere":
            break
        else:
            value.append(char)
        index += 1
    if quote:
        raise Uncut("quote", start)
    return Token("".join(value), start, index)


class UnmatchedQuote(Exception):
    """A quote that is not closed on the line; the text is the line from that word on."""


def pairs(text: str, grammar: Grammar) -> list[tuple[str, str]]:
    """Words of ``text`` as (quotes removed, as written).

    Raises:
        UnmatchedQuote: a quote is still open at the end.
    """
    try:
        return [(token.text, text[token.start : token.end]) for token in tokens(text, grammar)]
    except Uncut as problem:
        raise UnmatchedQuote(text[problem.start :]) from None
