"""The options of the launchers that start processes on a job's nodes, as they stand in a script."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from workshop.jobs.launch.model import Launch, Layer, Setting
from workshop.jobs.launch.questions import is_helper


@dataclass(frozen=True)
class Given:
    """An option of a launcher, or another of its words (a host, the image of a container).

    Attributes:
        line: 1-based. program: the launcher as it is called, without its folder. field: what it means; "" = not known.
        written: as it stands in the script.
    """

    line: int
    program: str
    field: str
    written: str


def each_once(launches: Iterable[Launch]) -> list[Launch]:
    """One launch for each launcher in the text: of several programs in one string that which counts most."""
    found: dict[object, Launch] = {}
    for number, launch in enumerate(launches):
        if launch.spread is None:
            continue
        key = launch.spread.program.start if launch.spread.program.start is not None else -number - 1
        if key not in found or _weight(launch) > _weight(found[key]):
            found[key] = launch
    return list(found.values())


def _weight(launch: Launch) -> tuple[bool, bool]:
    return (launch.agent is not None, not is_helper(launch))


def options_of(launch: Launch, text: str) -> list[Given]:
    """All that stands between a launcher and its program; ``text`` is the script's."""
    layer = launch.spread
    if layer is None:
        return []
    words = (*layer.unknown, *layer.extra)
    found = [(one.field, written(one, text)) for one in layer.settings]
    found += [("", text[word.start : word.end] if word.start is not None else word.shown) for word in words]
    return [Given(launch.command.line, called(layer), *one) for one in found]


def called(layer: Layer) -> str:
    """The launcher's name as the script has it, without its folder."""
    return (layer.program.text or "").rpartition("/")[2] or layer.name


def written(one: Setting, text: str) -> str:
    """An option as it stands in the script."""
    if one.start is not None and one.end is not None:
        return re.sub(r"\s*\\\n\s*", " ", text[one.start : one.end])
    return one.spelling + (f" {one.shown}" if one.value else "")
