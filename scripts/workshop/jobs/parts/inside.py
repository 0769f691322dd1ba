"""Lines of a script that are text in it: they begin inside a string."""

from __future__ import annotations

import re
from bisect import bisect_left

from workshop.jobs.parts import grammar
from workshop.jobs.parts.text import SCRIPT_LIMIT

STRINGS = ("string", "raw_string", "ansi_c_string", "translated_string")
TRIPLE = re.compile(r"(\"{3}|'{3})(?:.|\n)*?\1")


def string_lines(lines: list[str], first: int, shebang: str | None) -> set[int]:
    """Numbers of the lines from ``first`` on that begin inside a string: text of a job that the script writes.

    Such a string is a quoted one of a shell, or a triple-quoted one of Python. One that never ends does not count:
    it is a slip of the pen, and hides nothing.
    """
    if "python" in (shebang or ""):
        text = "\n".join(lines[first - 1 :])
        found = set()
        for match in TRIPLE.finditer(text):
            start = first + text.count("\n", 0, match.start())
            found.update(range(start + 1, start + match[0].count("\n") + 1))
        return found
    text = "\n".join(line.rstrip("\r") for line in lines)[:SCRIPT_LIMIT]
    ends = [match.start() for match in re.finditer("\n", text)]
    found: set[int] = set()
    waiting = [grammar.parse(text)]
    while waiting:
        node = waiting.pop()
        begin, end = bisect_left(ends, node.start) + 1, bisect_left(ends, node.end) + 1
        if begin == end:
            continue  # on one line, as most are
        if node.kind not in STRINGS:
            waiting += node.children
        elif begin >= first:
            found.update(range(begin + 1, end + 1))
    return found
