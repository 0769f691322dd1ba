"""Packing of tests onto workers: what stays together, and what starts first.

A unit is what one worker runs in one piece: the tests of a group, one long test, or the short tests of a module. Units
start in the order of their length, the longest first, so that all workers end at about the same time. Tests that others
wait for (``@pytest.mark.awaited``) start before everything else.
"""

import json
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pytest
from xdist.scheduler import LoadScopeScheduling
from xdist.workermanage import WorkerController

TESTS = Path(__file__).parents[1]
# How long tests took when they last ran here, and rough values for a machine on which they never ran.
MEASURED = TESTS.parent / "_build" / "reports" / "durations.json"
ESTIMATES = TESTS / "durations.json"
LONG_S = 4  # a test of this length is a unit of its own
TOGETHER_S = 20  # short tests of a module are cut into units of about this length
LATER_S = 20  # tests marked `awaited("later")` start after all units that are longer
# Folder -> fixtures that are too dear to be set up by several workers: tests that use them stay on one.
ONE_WORKER = {"cluster": ("cluster",), "ondemand": ("session", "desktop")}


@dataclass
class Item:
    """What the packing knows of one test: seconds that it may take, its group, and when others wait for it."""

    nodeid: str
    seconds: float
    group: str = ""
    awaited: str = ""


class Durations:
    """How long tests may take: measured here before, or as estimated; in seconds."""

    def __init__(self, measured: Path = MEASURED, estimates: Path = ESTIMATES) -> None:
        self.measured = _read(measured)
        self.estimates = _read(estimates)
        # By folder, as thousands of tests ask.
        self._starts = defaultdict(list)
        for start in sorted(self.estimates, key=len, reverse=True):
            self._starts[start.split("/")[0]].append(start)

    def of(self, nodeid: str, slow: bool) -> float:
        """Seconds of one test: its own, else those of the longest beginning of its node id that is listed."""
        if nodeid in self.measured:
            return self.measured[nodeid]
        known = (start for start in self._starts[nodeid.split("/")[0]] if nodeid.startswith(start))
        return self.estimates.get(next(known, ""), 15 if slow else 0.5)


def _read(path: Path) -> dict[str, float]:
    try:
        return json.loads(path.read_text())
    except (FileNotFoundError, json.JSONDecodeError):  # never run here, or a run was stopped while it wrote
        return {}


def keep_durations(seconds: dict[str, float]) -> None:
    """Remember how long tests took for the next run; tests that did not run keep what is known of them."""
    MEASURED.parent.mkdir(parents=True, exist_ok=True)
    kept = {**_read(MEASURED), **{nodeid: round(took, 2) for nodeid, took in seconds.items()}}
    MEASURED.write_text(json.dumps(kept, indent=0, sort_keys=True))


def write_estimates(measured: Path = MEASURED, estimates: Path = ESTIMATES) -> int:
    """Write the long tests of this machine's last runs into the committed estimates; how many there are.

    Entries for folders and modules stay. A machine that has never run the tests packs them by these.
    """
    folders = {start: took for start, took in _read(estimates).items() if "::" not in start}
    long = {nodeid: round(took) for nodeid, took in _read(measured).items() if took >= LONG_S}
    here = {nodeid: took for nodeid, took in long.items() if (estimates.parent / nodeid.split("::")[0]).is_file()}
    estimates.write_text(json.dumps(folders | here, indent=1, sort_keys=True) + "\n")
    return len(here)


def describe(items: Iterable[pytest.Item], durations: Durations) -> list[Item]:
    """What the packing needs to know of the collected tests."""
    return [
        Item(
            item.nodeid,
            durations.of(item.nodeid, item.get_closest_marker("slow") is not None),
            _group(item),
            _awaited(item),
        )
        for item in items
    ]


def _group(item: pytest.Item) -> str:
    mark = item.get_closest_marker("xdist_group")
    if mark:
        return str(mark.kwargs.get("name") or mark.args[0])
    folder = item.nodeid.split("/")[0]
    dear = [name for name in ONE_WORKER.get(folder, ()) if name in item.fixturenames]
    return f"{folder} {dear[0]}" if dear else ""


def _awaited(item: pytest.Item) -> str:
    mark = item.get_closest_marker("awaited")
    return mark.args[0] if mark else ""


def units(items: Iterable[Item]) -> list[list[str]]:
    """Node ids of the tests of each unit, in the order in which units start."""
    gathered: dict[tuple, list[Item]] = defaultdict(list)
    filled: dict[str, float] = defaultdict(float)
    for item in items:
        module = item.nodeid.split("::")[0]
        if item.group:
            gathered["group", item.group].append(item)
        elif item.awaited or item.seconds >= LONG_S:
            gathered["one", item.nodeid].append(item)
        else:
            gathered["module", module, int(filled[module] // TOGETHER_S)].append(item)
            filled[module] += item.seconds
    return [[item.nodeid for item in unit] for unit in sorted(gathered.values(), key=_place)]


def _place(unit: list[Item]) -> tuple[int, float]:
    """Sort key of a unit: what is awaited now, what is long, what is awaited later, then the rest and the site."""
    seconds = sum(item.seconds for item in unit)
    rank = {"first": 0, "now": 1, "later": 3}.get(unit[0].awaited)
    if rank is None:
        # The times of notebooks and the pages of the site are looked at when they are there.
        waits = unit[0].nodeid.startswith(("site/", "notebooks/", "planted/"))
        rank = 2 if seconds > LATER_S and not waits else 4
    return rank, -seconds


class Packing(LoadScopeScheduling):
    """xdist's scheduler of scopes, with units as scopes.

    Args:
        config: pytest's.
        log: xdist's.
        listed: a file with the units, as the first worker found them; the workers' tests are in their order.
    """

    def __init__(self, config: pytest.Config, log: object, listed: Path) -> None:
        super().__init__(config, log)
        self._listed = listed
        # xdist would start scopes with many tests first, whatever time they take.
        config.option.loadscopereorder = False

    @cached_property
    def _unit_of(self) -> dict[str, str]:
        listed = json.loads(self._listed.read_text())
        return {nodeid: f"unit {number}" for number, unit in enumerate(listed) for nodeid in unit}

    def _split_scope(self, nodeid: str) -> str:
        return self._unit_of[nodeid]

    def _reschedule(self, node: WorkerController) -> None:
        """Give a worker its next unit as late as its loop allows: it runs a test only when it knows the next one.

        xdist keeps two units waiting behind the running one, also where that one takes minutes and others are idle.
        """
        if not node.shutting_down and self.workqueue and self._pending_of(self.assigned_work[node]) > 1:
            return
        super()._reschedule(node)
