"""What a part of a reader raises where the scheduler would refuse a value."""

from __future__ import annotations


class BadValue(Exception):
    """A value that the scheduler refuses.

    Attributes:
        rule: name of the rule. message: what the scheduler says or does. fix: what to write.
    """

    def __init__(self, rule: str, message: str, fix: str = "") -> None:
        super().__init__(message)
        self.rule, self.message, self.fix = rule, message, fix
