"""What a job starts, in numbers that two scripts can be compared by."""

from __future__ import annotations

from dataclasses import dataclass

from workshop.jobs.launch.model import Launch, Shape
from workshop.jobs.launch.processes import processes, processes_per_node, spread
from workshop.jobs.launch.questions import is_helper


@dataclass(frozen=True)
class Started:
    """One launch of a job. None = not known from the script.

    Attributes:
        name: the program. nodes: on which it runs. tasks: what the outer launcher starts, in all.
        per_node: processes of the program on each node. processes: in all.
        cores: of each task of the outer launcher, as granted.
    """

    name: str
    nodes: int | None
    tasks: int | None
    per_node: int | None
    processes: int | None
    cores: int | None

    @property
    def said(self) -> str:
        """In words: ``4 processes on 2 nodes``."""
        return f"{_some(self.processes, 'process')} of {_some(self.tasks, 'task')} on {_some(self.nodes, 'node')}"


def _some(number: int | None, noun: str) -> str:
    if number is None:
        return f"an unknown number of {noun}{'es' if noun.endswith('s') else 's'}"
    return f"{number} {noun}" + ("" if number == 1 else "es" if noun.endswith("s") else "s")


def started(launches: list[Launch], shape: Shape) -> list[Started]:
    """What counts of the launches of a job: not ``srun hostname`` and its like.

    Args:
        shape: the numbers of the request that goes with the launches.
    """
    return [_one(launch, shape) for launch in launches if not is_helper(launch)]


def _one(launch: Launch, shape: Shape) -> Started:
    outer = spread(launch, shape)
    each = processes_per_node(launch, shape)
    return Started(launch.name, outer.nodes, outer.tasks, each, processes(launch, shape), _cores(launch, shape))


def _cores(launch: Launch, shape: Shape) -> int | None:
    """Cores that a task of the outer launcher is granted.

    srun gives what it is asked for (its default was one core in 22.05 to 23.02 and is the job's number of cores a
    task before and after); other launchers share out what the job has on a node.
    """
    layer, outer = launch.spread, spread(launch, shape)
    if layer is not None and layer.name == "srun":
        told = layer.has("cpus_per_task") or launch.command.environment.value("SRUN_CPUS_PER_TASK") is not None
        return outer.cpus_per_task or (shape.cpus_per_task if told or shape.cpus_per_task == 1 else None)
    there = cores_of_node(shape)
    if layer is None:
        return there
    if there is not None and outer.per_node:
        return max(there // outer.per_node, 1)
    if shape.nodes is None and shape.tasks and shape.cpus_per_task and outer.tasks:
        return max(shape.tasks * shape.cpus_per_task // outer.tasks, 1)
    return None


def cores_of_node(shape: Shape) -> int | None:
    """Cores of the job on each node; None where they are not known, or differ."""
    if shape.cpus_per_task is None:
        return None
    if shape.tasks_per_node:
        return shape.tasks_per_node * shape.cpus_per_task
    if shape.tasks and shape.nodes and shape.tasks % shape.nodes == 0:
        return shape.tasks // shape.nodes * shape.cpus_per_task
    return None


def differences(before: list[Started], after: list[Started]) -> list[str]:
    """Where ``after`` is not what ``before`` was; what ``before`` leaves open may become anything.

    More cores than before are no difference: only srun keeps a task to those that it asked for.
    """
    if len(before) != len(after):
        return [f"{_some(len(before), 'launch')} before, {len(after)} after"]
    found = []
    for old, new in zip(before, after, strict=True):
        for name in ("nodes", "tasks", "per_node", "processes", "cores"):
            was, now = getattr(old, name), getattr(new, name)
            more = name == "cores" and was is not None and now is not None and now > was
            if was is not None and was != now and not more:
                found.append(f"{old.name or 'the program'}: {name} {was} -> {now}")
    return found
