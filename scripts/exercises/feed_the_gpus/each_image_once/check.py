"""Ask the learner's function for all ranks and workers of several trainings, and count the images."""

import importlib.util
from collections import Counter
from collections.abc import Callable
from pathlib import Path

IMAGES, EPOCH = 96, 3
# Ranks and workers at first, and after a stop; images seen until then.
TRAININGS = [(1, 1, 1, 1, 0), (2, 1, 2, 1, 0), (1, 3, 1, 3, 0), (2, 3, 2, 3, 0), (2, 3, 2, 3, 32), (2, 3, 4, 2, 48)]


def check(path: Path) -> list[str]:
    """What is wrong with ``share`` in the file ``path``: empty if nothing."""
    spec = importlib.util.spec_from_file_location("learners_share", path)
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
        problems = [problem for training in TRAININGS if (problem := _problem(module.share, *training))]
        return problems[:1] or _orders(module.share)
    except Exception as error:  # whatever the learner's file raises is what they need to read
        return [f"Your file stops with {type(error).__name__}: {error}"]


def _of_each_rank(share: Callable, epoch: int, seen: int, ranks: int, workers: int) -> list[list[int]]:
    """The numbers of each rank, all of its workers together."""
    return [
        [
            int(number)
            for worker in range(workers)
            for number in share(IMAGES, epoch, seen, rank, ranks, worker, workers)
        ]
        for rank in range(ranks)
    ]


def _in_step(share: Callable, seen: int, ranks: int) -> list[int]:
    """What the first ``seen`` images of the epoch were: the ranks load them in turn."""
    loaded = _of_each_rank(share, EPOCH, 0, ranks, 1)
    return [number for rank in loaded for number in rank[: seen // ranks]]


def _problem(share: Callable, ranks: int, workers: int, later: int, later_workers: int, seen: int) -> str:
    """What goes wrong in one training; empty if nothing."""
    who = f"With {ranks} rank{'s' * (ranks > 1)} and {workers} worker{'s' * (workers > 1)}"
    shares = _of_each_rank(share, EPOCH, 0, ranks, workers)
    if problem := _counted([number for rank in shares for number in rank], set(range(IMAGES))):
        return f"{who} {problem}"
    if len({len(rank) for rank in shares}) > 1:
        return f"{who} the ranks have different numbers of images: in DDP the one with more would wait for ever."
    if not seen:
        return ""
    left = set(range(IMAGES)) - set(_in_step(share, seen, ranks))
    rest = _of_each_rank(share, EPOCH, seen, later, later_workers)
    problem = _counted([number for rank in rest for number in rank], left)
    after = f"Stopped after {seen} of {IMAGES} images, gone on with {later} ranks and {later_workers} workers,"
    return f"{after} {problem}" if problem else ""


def _counted(loaded: list[int], expected: set[int]) -> str:
    """Which images come twice, and which never."""
    counts = Counter(loaded)
    twice, never = [n for n in counts if counts[n] > 1 or n not in expected], expected - set(counts)
    if not (twice or never):
        return ""
    return f"{len(twice)} images come once too often, and {len(never)} never: of those left each is to come once."


def _orders(share: Callable) -> list[str]:
    if share(IMAGES, 1, 0, 0, 1, 0, 1) == share(IMAGES, 2, 0, 0, 1, 0, 1):
        return ["Two epochs have the same order: it must depend on the epoch."]
    if share(IMAGES, 1, 0, 0, 1, 0, 1) == list(range(IMAGES)):
        return ["The images come in the order in which they lie: shuffle them."]
    return []
