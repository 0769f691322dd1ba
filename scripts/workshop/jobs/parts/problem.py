"""What a part of a reader raises where the scheduler would refuse a value."""

from __future__ import annotations


class BadValue(Exception):
    """A value that the scheduler refuses.

    Attributes:
        rule: name of the rule. message: what the scheduler says or does. fix: what to write.
        value: what can only have been meant, as this scheduler writes it; None where that is not certain.
        old: the part of the option's value in the place of which it comes; empty = all of it.
    """

    def __init__(self, rule: str, message: str, fix: str = "", value: str | None = None, old: str = "") -> None:
        super().__init__(message)
        self.rule, self.message, self.fix, self.value, self.old = rule, message, fix, value, old
