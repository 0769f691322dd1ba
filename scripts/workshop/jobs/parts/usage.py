"""Comments that say how a file is submitted: ``# sbatch --nodes=2 job.sh`` is no directive that lost its effect."""

from __future__ import annotations

import re
from collections.abc import Callable

# What may stand for a file or a program behind the options.
NAMED = re.compile(r"[\w./~$<{\[]")


def is_usage(match: re.Match[str], option_words: Callable[[list[str]], int]) -> bool:
    """True for a call of the submitting command: lower case, a blank behind ``#``, and what is to be run at the end.

    Args:
        match: of a line that looks like a directive, with the groups ``space``, ``word`` and ``rest``.
        option_words: how many of the words behind the command are options with their values.
    """
    if not match["space"] or not match["word"].islower():
        return False
    text = re.split(r"\s#", match["rest"])[0]
    words = re.findall(r"(?:\"[^\"]*\"|'[^']*'|[^\s\"']|[\"'])+", text)
    if any(word.startswith(("<", "--wrap")) for word in words):
        return True
    rest = words[option_words(words) :]
    return bool(rest) and NAMED.match(rest[0]) is not None
