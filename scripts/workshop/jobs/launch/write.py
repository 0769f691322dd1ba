"""Launches in another launcher's words, through the table by which it is read.

What is written is read again: of several ways the first is taken that starts the wanted processes on the wanted nodes
of a job of the given shape.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from workshop.jobs.launch.model import Shape, Spread
from workshop.jobs.launch.processes import spread
from workshop.jobs.launch.read import read_launches
from workshop.jobs.launch.tables import Launcher

# Fields by which each launcher can say how many processes it starts, the shortest way first.
WAYS: dict[str, tuple[tuple[str, ...], ...]] = {
    "srun": ((), ("tasks",), ("nodes", "tasks"), ("nodes", "tasks", "tasks_per_node")),
    "openmpi": (("tasks",), ("tasks", "map_by")),
}


@dataclass(frozen=True)
class Wanted:
    """What a launch has to start.

    Attributes:
        spread: nodes, tasks, tasks a node and cores of each; None = not known from the script.
        given: field -> value as it is to be written, of numbers that only the run knows.
        agent: True for torchrun and the like, which need all the cores of their task.
    """

    spread: Spread
    given: dict[str, str] = field(default_factory=dict)
    agent: bool = False

    def value(self, name: str) -> str | None:
        """The value of a field as it is written; None where nothing is known of it."""
        if name == "map_by":
            each = self.value("tasks_per_node")
            return f"ppr:{each}:node" if each else None
        known = {"nodes": self.spread.nodes, "tasks": self.spread.tasks, "tasks_per_node": self.spread.per_node}[name]
        return str(known) if known is not None else self.given.get(name)


def launch_words(program: str, table: Launcher, wanted: Wanted, shape: Shape) -> tuple[list[str], bool]:
    """The launcher with the options that say its numbers, and whether they are proven to be the wanted ones.

    Args:
        program: the name under which the launcher is called. shape: of the job in which it runs.
    """
    ways = [way for way in WAYS.get(table.name, (("tasks",),)) if all(wanted.value(name) for name in way)]
    for way in ways:
        words = [program, *(word for name in way for word in table.spell(name, wanted.value(name) or ""))]
        if _starts(words, shape, wanted.spread) and not _one_slot(table, way, wanted.spread):
            return words, True
    given = next((way for way in ways if way and wanted.spread.tasks is None), ways[0] if ways else ())
    return [program, *(word for name in given for word in table.spell(name, wanted.value(name) or ""))], False


def _one_slot(table: Launcher, way: tuple[str, ...], wanted: Spread) -> bool:
    """True where Open MPI would fill the first node: a host that a host file names once has as many slots as cores."""
    return table.name == "openmpi" and "map_by" not in way and wanted.per_node == 1 and wanted.nodes != 1


def _starts(words: list[str], shape: Shape, wanted: Spread) -> bool:
    """True where it is known that ``words`` start what is wanted in a job of this shape."""
    _, launches = read_launches(" ".join([*words, "./program"]))
    found = spread(launches[0], shape) if launches else Spread()
    pairs = ((wanted.nodes, found.nodes), (wanted.tasks, found.tasks), (wanted.per_node, found.per_node))
    return wanted.tasks is not None and all(was is None or was == now for was, now in pairs)
