"""How qsub cuts a directive line into words (make_argv() in OpenPBS's qsub.c): blanks, quotes, backslash."""

from __future__ import annotations

from workshop.jobs.parts.lexer import Grammar, pairs


def _backslash(text: str, index: int, quoted: bool) -> tuple[str, int] | None:
    """Outside quotes the next character stands for itself, a blank too; at the end the backslash does."""
    return None if quoted or index + 1 == len(text) else (text[index + 1], index + 2)


GRAMMAR = Grammar(backslash=_backslash)


def split(text: str) -> list[tuple[str, str]]:
    """Words of ``text`` as (quotes removed, as written). There are no comments here: ``#`` is an ordinary character.

    Raises:
        UnmatchedQuote: a quote is still open at the end.
    """
    return pairs(text, GRAMMAR)
