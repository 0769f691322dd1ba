"""Job scripts spoiled as web pages, word processors and other systems spoil them."""

import random
import re

BLANKS = "\u00a0\u2003\u2009\u202f\u205f\u3000\ufeff\u200b"
# Double and single quotes, hyphens: what typesetting puts in their place.
CURLY = {'"': "\u201c\u201d\u201e", "'": "\u2018\u2019\u201a", "-": "\u2013\u2014\u2011\u2212"}
PIECES = [
    "<<EOF\n",
    "$(",
    "`",
    "${",
    "$((1<<",
    '"C:\\\\"',
    "\\\n",
    "'",
    '"',
    "\0",
    "case x in\n",
    "f() {\n",
    "[[ ",
    "#",
]


def _blank(text: str, draw: random.Random) -> str:
    return re.sub(r" +", lambda match: draw.choice(BLANKS) if draw.random() < 0.1 else match[0], text)


def _curly(text: str, draw: random.Random) -> str:
    return re.sub(r"[\"'-]", lambda match: draw.choice(CURLY[match[0]]) if draw.random() < 0.2 else match[0], text)


def _carriage_returns(text: str, draw: random.Random) -> str:
    return re.sub(r"\n", lambda match: "\r\n" if draw.random() < 0.9 else match[0], text)


def _cut(text: str, draw: random.Random) -> str:
    start = draw.randint(0, len(text))
    return text[:start] + text[start + draw.randint(0, 40) :]


def _insert(text: str, draw: random.Random) -> str:
    start = draw.randint(0, len(text))
    return text[:start] + draw.choice(PIECES) + text[start:]


CHANGES = [_blank, _curly, _carriage_returns, _cut, _insert]
CODES = ["utf-8"] * 6 + ["utf-8-sig", "utf-16", "utf-16-le", "latin-1"]


def mutated(data: bytes, draw: random.Random) -> bytes:
    """``data`` with one to four of the changes, in one of the encodings in which such files come."""
    text = data.decode("utf-8", "replace")
    for change in draw.choices(CHANGES, k=draw.randint(1, 4)):
        text = change(text, draw)
    return text.encode(draw.choice(CODES), "replace")
