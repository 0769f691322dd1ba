"""How sbatch cuts a directive line into words: quotes, backslash, `#` comments (checked against sbatch 22.05.8)."""

from __future__ import annotations

from dataclasses import dataclass

from workshop.jobs.parts.lexer import Grammar, Uncut, tokens
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


def _backslash(text: str, index: int, quoted: bool) -> tuple[str, int]:
    """It takes the next character's special meaning, inside quotes too, except that a blank still ends the word."""
    following = text[index + 1 : index + 2]
    return ("", index + 1) if not quoted and following in BLANKS else (following, index + 2)


GRAMMAR = Grammar(comment="anywhere", bad=":", backslash=_backslash)


def split(text: str, line: int, column: int = 0) -> list[Word]:
    """Words of ``text`` (what follows ``#SBATCH``, from ``column`` of the line on).

    Raises:
        BadLine: an unmatched quote, or a word that begins with a colon.
    """
    words: list[Word] = []
    behind = 0
    try:
        for token in tokens(text, GRAMMAR):
            cut = text[token.end + 1 :] if text[token.end : token.end + 1] == "#" else None
            raw, gap = text[token.start : token.end], token.start - behind
            words.append(Word(token.text, raw, line, gap, not words, cut, column + token.start))
            behind = token.end
    except Uncut as problem:
        raise BadLine("colon" if problem.kind == "start" else "quote", words, text[problem.start :]) from None
    return words
