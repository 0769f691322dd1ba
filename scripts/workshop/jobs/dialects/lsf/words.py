"""How bsub cuts a #BSUB line into words: quotes, and a word that begins with # ends the options of the line."""

from __future__ import annotations

from workshop.jobs.parts.lexer import Grammar, pairs

GRAMMAR = Grammar(comment="first")


def split(text: str) -> list[tuple[str, str]]:
    """Words of ``text`` as (quotes removed, as written).

    Raises:
        UnmatchedQuote: a quote is still open at the end.
    """
    return pairs(text, GRAMMAR)
