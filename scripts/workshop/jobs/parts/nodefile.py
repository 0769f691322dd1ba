"""How scripts ask a file with one line for each rank (PBS_NODEFILE, LSB_DJOB_HOSTFILE) for hosts and numbers."""

from __future__ import annotations

import re

COUNT = r"wc (?:-l|--lines)"


def _file(name: str) -> str:
    return rf"[\"']?\$\{{?{name}\}}?[\"']?"


def host_list(name: str) -> re.Pattern[str]:
    """Commands that list the hosts, each once: ``sort -u "$PBS_NODEFILE"`` and the like."""
    tools = r"(?:sort\s+-u|uniq|cat|awk '!\w+\[\$0\]\+\+')"
    return re.compile(rf"{tools}\s+{_file(name)}(?:\s*\|\s*(?:sort -u|uniq|sort \| uniq))?")


def first_host(name: str) -> re.Pattern[str]:
    """``head -n 1 "$PBS_NODEFILE"`` and its other spellings."""
    return re.compile(rf"head\s+(?:-1|-n\s*1|--lines=1)\s+<?\s*{_file(name)}")


def line_count(name: str) -> re.Pattern[str]:
    """``$(wc -l < "$PBS_NODEFILE")`` and its other spellings."""
    file = _file(name)
    return re.compile(
        rf"\$\(\s*{COUNT}\s*<\s*{file}\s*\)|`\s*{COUNT}\s*<\s*{file}\s*`|\$\(\s*cat {file}\s*\|\s*{COUNT}\s*\)"
    )


def host_count(name: str) -> re.Pattern[str]:
    """``$(sort -u "$PBS_NODEFILE" | wc -l)``."""
    return re.compile(rf"\$\(\s*(?:sort -u|uniq) {_file(name)}\s*\|\s*wc -l\s*\)")
