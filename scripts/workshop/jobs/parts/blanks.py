"""Blanks that look like one and are none: no scheduler and no shell takes them for the end of a word."""

from __future__ import annotations

import re

from workshop.jobs.model import Edit, Finding, Write
from workshop.jobs.parts import sources

ODD_BLANK = re.compile("[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\ufeff]")
QUOTED = re.compile(r"(\"[^\"]*\"|'[^']*')")


def codes(text: str) -> list[str]:
    """Codes of such blanks outside quotes: ``["U+00A0"]``."""
    if text.isascii():
        return []
    plain = QUOTED.sub("", text)
    return [f"U+{ord(char):04X}" for char in dict.fromkeys(ODD_BLANK.findall(plain))]


def with_plain_blanks(text: str) -> str:
    """``text`` as it was meant: outside quotes one ASCII blank in place of each run that has an odd one."""
    parts = QUOTED.split(text)
    odd = re.compile(rf"[ \t]*{ODD_BLANK.pattern}(?:{ODD_BLANK.pattern}|[ \t])*")
    return "".join(part if part[:1] in "\"'" and part else odd.sub(" ", part) for part in parts)


def finding(line: int, text: str, read: str, refused: bool, whose: str) -> Finding | None:
    """What to say of a directive with such a blank; None where there is none.

    Args:
        text: the whole line. read: the part of it that ``whose`` (sbatch …) reads, as written.
    """
    found = codes(read)
    if not found:
        return None
    many = "blanks that are" if len(found) > 1 else "a blank that is"
    outcome = "refuses the directive" if refused else "takes it as part of the value"
    return Finding(
        "no_break_blank",
        "error" if refused else "warning",
        line,
        f"Line {line} has {many} no ASCII blank ({', '.join(found)}; 'cat -A' shows it): {whose} {outcome}.",
        Write(with_plain_blanks(text).strip(), Edit(line, text, with_plain_blanks(text))),
        sources.SBATCH if whose == "sbatch" else sources.QSUB if whose == "qsub" else sources.BSUB,
    )
