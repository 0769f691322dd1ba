"""More ranks than the job has slots: what mpirun does then is the MPI library's choice."""

from __future__ import annotations

import re
from collections.abc import Iterator

from workshop.jobs.launch import Launch
from workshop.jobs.launch.questions import called, most_tasks
from workshop.jobs.model import WRONG, Finding
from workshop.jobs.parts import sources
from workshop.jobs.parts.values import shown
from workshop.jobs.rules.base import Context
from workshop.jobs.rules.rule import rule

OPEN_MPI = re.compile(r"open-?mpi|\bompi\b|hpc-?x|spectrum-mpi", re.IGNORECASE)
OTHER_MPI = re.compile(r"intel|impi|oneapi|mpich|mvapich|cray|\bmpt\b|pals|parastation|psmpi", re.IGNORECASE)
# What lets Open MPI start more ranks than slots, or count other slots than the scheduler's.
ALLOWED = re.compile(r"oversubscribe|use-hwthread-cpus", re.IGNORECASE)
NODE_FILE = re.compile(r"\$\{?(?:PBS_NODEFILE|LSB_DJOB_HOSTFILE)\b")


@rule("more_ranks_than_slots", verdict=WRONG, source=sources.OPEN_MPI)
def more_ranks_than_slots(context: Context) -> Iterator[Finding]:
    """mpirun is told to start more ranks than the job has slots: Open MPI refuses that."""
    slots = _slots(context)
    modules = " ".join(word.shown for command in context.reading.named("module", "ml") for word in command.arguments)
    for launch in context.certain:
        tasks = most_tasks(launch, context.shape)
        if not slots or tasks is None or tasks <= slots or not _counts(launch):
            continue
        layer = launch.spread
        evidence = f"{modules} {layer.program.shown}"
        certain = bool(OPEN_MPI.search(evidence)) or (layer.name == "openmpi" and layer.sure)
        if layer.name != "openmpi" or (OTHER_MPI.search(evidence) and not certain):
            continue
        word = context.dialect.task
        many = f"{called(layer)} is to start {tasks} ranks, and the job has {slots} slot{'s' if slots > 1 else ''}"
        yield Finding(
            "more_ranks_than_slots",
            "warning" if certain else "note",
            launch.line,
            f"{many}: Open MPI refuses that ('There are not enough slots available in the system')"
            + ("." if certain else "; MPICH and Intel MPI start them, several on a core."),
            f"{tasks} {word}s in the request, or {layer.get('tasks').spelling} {slots}; --oversubscribe where several "
            "ranks on a core are meant",
        )
        return


def _slots(context: Context) -> int | None:
    """How many ranks the job has room for, however the library counts it; None = not known."""
    request = context.request
    if context.heterogeneous or not request.tasks or request.exclusive or not context.script.directives:
        return None
    if context.script.scheduler == "slurm" and not context.given("--ntasks", "--ntasks-per-node"):
        return None  # of whole nodes Slurm counts every CPU as a task
    if context.dialect.package != "lsf" and request.cpus_total is None:
        return None
    return max(request.tasks, request.cpus_total or 0)


def _counts(launch: Launch) -> bool:
    """True for an mpirun that takes the slots from the scheduler."""
    layer = launch.spread
    if layer is None or not layer.has("tasks") or layer.open or layer.has("hosts"):
        return False
    file = layer.get("hostfile")
    if file is not None and not NODE_FILE.search(shown(file.value or ())):
        return False
    names = (f"{name}={shown(held.value)}" for name, held in launch.environment.variables.items())
    words = (f"{setting.spelling} {setting.shown}" for setting in layer.settings)
    return not any(ALLOWED.search(text) for text in (*names, *words))
