"""What the writers of all schedulers share: lines, losses, and numbers of a request in the words of a directive."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from workshop.jobs.model import JobRequest
from workshop.jobs.parts.units import KIB, MIB


class CannotWrite(Exception):
    """The scheduler has no way of saying this request; the message says which part of it."""


@dataclass(frozen=True)
class Loss:
    """Something of a request that the other scheduler cannot say, or says differently.

    Attributes:
        what: what the script had, in words or as the directive. reason: why it is lost, and what to do.
        fields: names of the JobRequest's fields (or of its ``extra``) that are touched.
        nearest: the nearest thing that there is, where the reason does not name it.
    """

    what: str
    reason: str
    fields: tuple[str, ...] = ()
    nearest: str = ""


@dataclass
class Written:
    """Directive lines, and what a person has to hear of them.

    Attributes:
        losses: what could not be written, or only with a caveat. changes: what is counted otherwise and means the same.
    """

    lines: list[str] = field(default_factory=list)
    losses: list[Loss] = field(default_factory=list)
    changes: list[Loss] = field(default_factory=list)

    def lose(self, what: str, reason: str, *fields: str) -> None:
        self.losses.append(Loss(what, reason, fields))

    def change(self, what: str, reason: str, *fields: str) -> None:
        """Something that the other scheduler counts otherwise; nothing is left to a person."""
        self.changes.append(Loss(what, reason, fields))


def size(value: int, suffix: str = "") -> str:
    """Bytes in the largest unit that shows them as a whole number, at least megabytes rounded up: ``64G``."""
    for power, unit in ((4, "T"), (3, "G")):
        if value and value % KIB**power == 0:
            return f"{value // KIB**power}{unit}{suffix}"
    return f"{-(-value // MIB)}M{suffix}"


LETTERS = {"a": "FAIL", "b": "BEGIN", "e": "END"}


def mail_kinds(text: str | None) -> list[str]:
    """BEGIN, END and FAIL of any scheduler's mail option."""
    if not text:
        return []
    if re.fullmatch(r"[abenp]+", text):
        return [LETTERS[letter] for letter in text if letter in LETTERS]
    kinds = [kind.strip().upper() for kind in text.split(",")]
    return ["BEGIN", "END", "FAIL"] if "ALL" in kinds else [kind for kind in kinds if kind in ("BEGIN", "END", "FAIL")]


# Condition of Slurm and PBS -> function of LSF's -w.
LSF_CONDITION = {"afterok": "done", "afterany": "ended", "afternotok": "exit", "after": "started"}
FROM_LSF = {value: key for key, value in LSF_CONDITION.items()}


def dependencies(text: str | None) -> list[tuple[str, list[str]]] | None:
    """[(afterok …, job ids)] of any scheduler's dependency; None where it is of another kind."""
    found: list[tuple[str, list[str]]] = []
    if not text:
        return found
    if re.match(r"\s*(done|ended|exit|started)\(", text):
        for part in re.split(r"\s*&&\s*", text.strip()):
            match = re.fullmatch(r"(\w+)\((\d[\w.\[\]]*)\)", part)
            if not match or match[1] not in FROM_LSF:
                return None
            found.append((FROM_LSF[match[1]], [match[2]]))
        return found
    for part in text.split(","):
        kind, *jobs = part.split(":")
        if kind not in LSF_CONDITION or not jobs:
            return None
        found.append((kind, jobs))
    return found


def tasks_of_nodes(request: JobRequest) -> list[tuple[int, int]]:
    """[(number of nodes, tasks on each of them)], evenly, as a launcher would fill them."""
    nodes, tasks = request.nodes or 1, request.tasks
    if request.tasks_per_node and (tasks is None or tasks == nodes * request.tasks_per_node):
        return [(nodes, request.tasks_per_node)]
    if tasks is None:
        return [(nodes, 1)]
    each, more = divmod(tasks, nodes)
    parts = [(more, each + 1), (nodes - more, each)]
    return [(count, number) for count, number in parts if count and number]


def cpus_of_task(request: JobRequest) -> int | None:
    """CPUs of each task, also where the script gives them for each GPU or for the whole job (PBS totals)."""
    tasks, known = request.tasks or 1, request.cpus_per_task or 1
    total = request.cpus_total or 0
    if total > tasks * known and total % tasks == 0 and (request.tasks or (request.nodes or 1) == 1):
        return total // tasks
    return request.cpus_per_task


def lose_cpus_per_gpu(request: JobRequest, written: Written, scheduler: str) -> None:
    """Says that CPUs for each GPU became CPUs for each task."""
    if count := request.extra.cpus_per_gpu:
        written.lose(f"{count} CPUs for each GPU", f"{scheduler} counts them for each task", "cpus_per_task")


# Fields of ``extra`` that only repeat what other fields say.
REPEATED = {
    "chunks",
    "mem_total",
    "mem_per_node",
    "mem_per_cpu",
    "mem_per_gpu",
    "mem_per_task",
    "mem_request",
    "ppn",
    "slots_per_host",
    "exclusive_mode",
    "overwrite_logs",
    "start_in_submit_dir",
    "slots_min",
    "slots_max",
    "nodes_max",
    "gpus_per_task",
    "tasks_per_gpu",
    "threads_per_task",
    "hold",
    "variables",
    "cpus_per_gpu",
    "chdir",
}


def lose_extra(
    request: JobRequest, written: Written, kept: set[str], scheduler: str, nearest: dict[str, str] | None = None
) -> None:
    """Names everything of ``extra`` that no writer knows.

    Args:
        nearest: field -> how the scheduler says something like it, to be written by hand.
    """
    for key, value in request.extra.given().items():
        if key in REPEATED or key in kept or _says_nothing(key, value):
            continue
        what = f"{key.replace('_', ' ')} = {value}"
        near = nearest.get(key, "") if nearest else ""
        why = (
            f"{scheduler} says it in other words: {near}" if near else f"{scheduler} has no option that means the same"
        )
        if key == "requirements":
            why = f"{value} has no counterpart in {scheduler}"
        written.losses.append(Loss(what, why, (key,), near))


def _says_nothing(key: str, value: object) -> bool:
    """Values that are the default, or that another field repeats."""
    return (key == "gpu_mode" and value == "shared") or (
        key == "affinity" and bool(re.fullmatch(r"core\(\d+\)", str(value)))
    )
