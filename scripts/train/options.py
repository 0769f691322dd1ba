"""Types for numbers on the command line: a wrong one ends the program with one line, not with a traceback.

option("--epochs", type=at_least(1), default=10)
"""

import argparse
from collections.abc import Callable


def at_least(least: int) -> Callable[[str], int]:
    """A type for argparse: a whole number that is not smaller than ``least``."""

    def number(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"{text!r} is no whole number") from None
        if value < least:
            raise argparse.ArgumentTypeError(f"{value} is too small: at least {least}")
        return value

    return number


def positive(text: str) -> float:
    """A type for argparse: a number above 0."""
    try:
        value = float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no number") from None
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text} is no number above 0")
    return value


def probability(text: str) -> float:
    """A type for argparse: a number from 0 to below 1."""
    value = 0.0 if text.strip() in ("0", "0.0") else positive(text)
    if value >= 1:
        raise argparse.ArgumentTypeError(f"{text} is no probability below 1")
    return value
