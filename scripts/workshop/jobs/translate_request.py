"""The request as the body uses it: how many tasks a scheduler of another kind has to be told of."""

from __future__ import annotations

import copy

from workshop.jobs.launch import Launch
from workshop.jobs.launch.processes import spread
from workshop.jobs.launch.questions import is_helper
from workshop.jobs.launch.started import cores_of_node
from workshop.jobs.model import JobRequest
from workshop.jobs.parts.written import Loss
from workshop.jobs.rules.base import Context


def meant(context: Context) -> tuple[JobRequest, list[Loss]]:
    """The request, with the tasks that the body's launchers start, and what is said otherwise for it.

    LSF's slots are cores, and a PBS chunk without mpiprocs says cores only: there the launch lines say how many tasks
    use them. What names its tasks itself stays as it is.
    """
    request = copy.deepcopy(context.request)
    if context.dialect.package == "slurm":
        _sized_by_srun(context, request)
    elif _says_cores_only(context):
        _sized_by_launches(context, request)
    if (request.tasks, request.cpus_per_task) == (context.request.tasks, context.request.cpus_per_task):
        return request, []
    why = f"the launch lines start {request.tasks_per_node} on each node, with {request.cpus_per_task} cores each"
    return request, [Loss("tasks", why, ("tasks", "tasks_per_node", "cpus_per_task", "cpus_total"))]


def _sized_by_launches(context: Context, request: JobRequest) -> None:
    each, cores = tasks_of_node(context), cores_of_node(context.shape)
    if not each or not request.nodes or not cores or each > cores:
        return
    request.tasks_per_node, request.tasks = each, each * request.nodes
    request.cpus_per_task = cores // each
    request.cpus_total = request.tasks * request.cpus_per_task


# Options that say what a task is.
SIZES = ("--ntasks", "--ntasks-per-node", "--ntasks-per-gpu", "--cpus-per-task", "--cpus-per-gpu", "--tres-per-task")


def _sized_by_srun(context: Context, request: JobRequest) -> None:
    """Whole nodes, whose srun lines alone say how many tasks there are and how many cores each has."""
    nodes = request.nodes
    if context.heterogeneous or not nodes or context.given(*SIZES) or not context.given("--nodes"):
        return
    found = [spread(launch, context.shape) for launch in context.launches if launch.on_nodes and not is_helper(launch)]
    sizes = [(one.per_node, one.cpus_per_task or 1) for one in found if one.nodes == nodes and one.per_node]
    if len(sizes) == len(found) and sizes:
        request.tasks_per_node, request.cpus_per_task = max(sizes)
        request.tasks = nodes * request.tasks_per_node
        request.cpus_total = request.tasks * request.cpus_per_task


def _says_cores_only(context: Context) -> bool:
    if context.heterogeneous:
        return False
    chunks = context.request.extra.chunks or []
    return context.dialect.package == "lsf" or (len(chunks) == 1 and "mpiprocs" not in chunks[0])


def tasks_of_node(context: Context) -> int | None:
    """The most tasks that any of the job's launchers starts on a node; None where one of them is not known.

    A job that starts all its programs from the batch shell has one task.
    """
    starts = [launch for launch in context.launches if not is_helper(launch)]
    wide = [launch for launch in starts if launch.on_nodes]
    if not wide:
        known = context.shape.nodes == 1 and starts and not any(launch.opaque for launch in starts)
        return 1 if known else None
    counts = [_each(launch, context) for launch in wide]
    return None if None in counts else max(counts)


def _each(launch: Launch, context: Context) -> int | None:
    found, nodes = spread(launch, context.shape), context.shape.nodes
    if found.per_node is None and found.tasks and nodes and found.tasks % nodes == 0:
        return found.tasks // nodes
    return found.per_node
