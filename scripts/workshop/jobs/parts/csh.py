"""csh and tcsh scripts in the words of sh, so that one grammar reads both."""

from __future__ import annotations

import re
from collections.abc import Callable

INTERPRETER = re.compile(r"#![ \t]*(?:\S*/)?(?:env[ \t]+)?t?csh\b")
# One line of csh -> the same in sh. What stands in conditions is not read: it decides, and starts nothing.
LINES: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = (
    (re.compile(r"setenv\s+(\w+)\s*(.*)"), r"export \1=\2"),
    (re.compile(r"unsetenv\s+(\w+).*"), r"unset \1"),
    (re.compile(r"set\s+(\w+)\s*=\s*(.*)"), lambda match: f"{match[1]}={match[2].replace('( ', '(')}"),
    (re.compile(r"@\s*(\w+).*"), r"let \1"),
    (re.compile(r"foreach\s+(\w+)\s*\((.*)\)\s*"), r"for \1 in \2; do"),
    (re.compile(r"while\s*\(.*\)\s*"), "while true; do"),
    (re.compile(r"end\s*"), "done"),
    (re.compile(r"else\s+if\s*\(.*\)\s*then\s*"), "elif true; then"),
    (re.compile(r"if\s*\(.*\)\s*then\s*"), "if true; then"),
    (re.compile(r"endif\s*"), "fi"),
    (re.compile(r"if\s*\(.*?\)\s+([^()]*)"), r"if true; then \1; fi"),
    (re.compile(r"(?:alias|limit|unlimit|rehash|onintr|set)\b.*"), ":"),
)


def is_csh(text: str) -> bool:
    """True where the first line says csh or tcsh."""
    return bool(INTERPRETER.match(text))


def as_sh(text: str) -> str:
    """``text`` line by line in the words of sh; lines keep their numbers. ``switch`` is left out."""
    found, continued, depth = [], False, 0
    for line in text.split("\n"):
        plain = line.strip()
        depth += plain.startswith("switch")
        found.append("" if depth else line if continued else _line(line, plain))
        depth -= depth > 0 and plain == "endsw"
        continued = plain.endswith("\\")
    return "\n".join([INTERPRETER.sub("#!/bin/sh", found[0]), *found[1:]])


def _line(line: str, plain: str) -> str:
    for pattern, replacement in LINES:
        match = pattern.fullmatch(plain)
        if match:
            return match.expand(replacement) if isinstance(replacement, str) else replacement(match)
    return line
