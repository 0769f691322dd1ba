"""What became of each option of a script: carried over, changed, or left out. Each is in one of the lists, once."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Fate:
    """What became of one option.

    Attributes:
        line: 1-based line of the source. place: ``header`` or ``launch``. written: the option as the user wrote it.
        why: why it is changed or left out, or what says it now; empty where there is nothing to add.
        nearest: of what is left out: the nearest thing that there is.
        asks: True where a person has to look: a line of the script says so.
    """

    line: int
    place: str
    written: str
    why: str = ""
    nearest: str = ""
    asks: bool = False

    def to_dict(self) -> dict[str, Any]:
        """For JSON; only what says something."""
        plain = {"line": self.line, "place": self.place, "option": self.written}
        more = {"why": self.why, "nearest": self.nearest}
        return plain | {name: text for name, text in more.items() if text}


@dataclass
class Lists:
    """The three lists, each in the order of the source."""

    carried: list[Fate] = field(default_factory=list)
    changed: list[Fate] = field(default_factory=list)
    left_out: list[Fate] = field(default_factory=list)

    @property
    def all(self) -> list[Fate]:
        return [*self.carried, *self.changed, *self.left_out]

    def add(self, other: Lists) -> None:
        """Takes over what ``other`` holds."""
        self.carried += other.carried
        self.changed += other.changed
        self.left_out += other.left_out

    def to_dict(self) -> dict[str, Any]:
        """The lists as ``workshop translate`` and ``workshop fill`` print them with ``--format json``."""
        names = ("carried", "changed", "left_out")
        return {name: [fate.to_dict() for fate in sorted(getattr(self, name), key=_line)] for name in names}


def _line(fate: Fate) -> int:
    return fate.line
