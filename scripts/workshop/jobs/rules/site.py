"""Rules that need the facts of a site; silent without them."""

from __future__ import annotations

from collections.abc import Iterator

from workshop.jobs.model import SITE, Finding, JobRequest
from workshop.jobs.parts import sources
from workshop.jobs.parts.units import show_memory, show_time
from workshop.jobs.profile import NodeFacts
from workshop.jobs.rules.base import Context
from workshop.jobs.rules.rule import rule

GPU_OPTIONS = ("--gres", "--gpus-per-node", "--gpus", "--gpus-per-task", "-gpu")


@rule("time_exceeds_partition_limit", verdict=SITE, severity="warning", source=sources.SLURM_CONF)
def time_limit(context: Context) -> Iterator[Finding]:
    """More time than the partition, or the site, allows."""
    for request in context.requests:
        limit, who = _longest(context, request)
        if request.time_s and limit and request.time_s > limit:
            slurm = context.script.scheduler == "slurm"
            yield Finding(
                "time_exceeds_partition_limit",
                "warning",
                context.line("--time", "-W", "-l"),
                f"{show_time(request.time_s)} is more than {who} allows ({show_time(limit)}): the job is refused, or "
                + ("taken and then waits forever (reason PartitionTimeLimit)." if slurm else "never starts."),
                f"at most {show_time(limit)}, or another {context.dialect.queue}",
            )


def _longest(context: Context, request: JobRequest) -> tuple[int | None, str]:
    """The limit in seconds of the partitions that are named, else of the site; and whose limit it is."""
    limits = context.profile.partitions
    names = [name for name in (request.partition or "").split(",") if name]
    known = [limits[name] for name in names if limits.get(name)]
    if names and len(known) == len(names):
        return max(known), str(request.partition)
    return context.profile.longest, context.profile.name or "the site"


def _fitting(context: Context, request: JobRequest) -> list[NodeFacts]:
    """The kinds of nodes that the request's partition and GPU type leave; those with GPUs where some are asked for."""
    nodes = context.profile.nodes
    if request.gpus_per_node or request.gpus_total or request.extra.gpus_per_task:
        nodes = [node for node in nodes if node.gpus]
        wanted = (request.gpu_type or "").lower()
        nodes = [node for node in nodes if (node.gpu_type or "").lower() == wanted] or nodes
    names = (request.partition or "").split(",")
    placed = bool(nodes) and all(node.partition for node in nodes)
    return ([node for node in nodes if node.partition in names] or nodes) if placed else nodes


@rule("gpus_exceed_node", verdict=SITE, severity="warning", source=sources.SLURM_GRES)
def gpus_exceed_node(context: Context) -> Iterator[Finding]:
    """More GPUs on a node, or for one task, than any node has."""
    for request in context.requests:
        asked = max(request.gpus_per_node or 0, request.extra.gpus_per_task or 0, _chunk(request, "ngpus"))
        nodes = _fitting(context, request)
        most = max((node.gpus for node in nodes), default=0)
        if asked and most and asked > most:
            yield Finding(
                "gpus_exceed_node",
                "warning",
                context.line(*GPU_OPTIONS, "-l", "-R"),
                f"{asked} GPUs on one {context.dialect.node}, but {_site(context)} has at most {most} on a node"
                f"{_of(nodes)}: the job is refused or never starts.",
                f"at most {most} GPUs a node, on more nodes",
            )


@rule("cpus_exceed_node", verdict=SITE, severity="warning", source=sources.SLURM_CONF)
def cpus_exceed_node(context: Context) -> Iterator[Finding]:
    """More cores on a node than the nodes with the GPUs asked for have."""
    for request in context.requests:
        nodes = _fitting(context, request)
        asked = _cpus_of_a_node(request)
        if not asked or not nodes or not all(node.cores for node in nodes):
            continue
        most = max(node.cores or 0 for node in nodes)
        if asked > most:
            yield Finding(
                "cpus_exceed_node",
                "warning",
                context.line("--cpus-per-task", "--ntasks-per-node", "--ntasks", "--tres-per-task", "-l", "-n"),
                f"{asked} cores on one node, but {_site(context)} has at most {most} on a node{_of(nodes)}: the job is "
                "refused or never starts.",
                f"at most {most} cores a node",
            )


def _cpus_of_a_node(request: JobRequest) -> int:
    """The least number of cores that one node must have."""
    each = request.cpus_per_task or 1
    if request.extra.chunks:
        return _chunk(request, "ncpus")
    if request.tasks_per_node and (request.tasks is None or request.tasks >= request.tasks_per_node):
        return request.tasks_per_node * each
    if request.nodes and request.tasks and not request.extra.nodes_max:
        return -(-request.tasks // request.nodes) * each
    return each


@rule("memory_exceeds_node", verdict=SITE, severity="warning", source=sources.SLURM_CONF)
def memory_exceeds_node(context: Context) -> Iterator[Finding]:
    """More memory on a node than the nodes with the GPUs asked for have."""
    for request in context.requests:
        nodes = _fitting(context, request)
        asked = request.mem.value if request.mem and request.mem.scope == "per_node" else _chunk(request, "mem")
        if not asked or not nodes or not all(node.memory for node in nodes):
            continue
        most = max(node.memory or 0 for node in nodes)
        if asked > most:
            yield Finding(
                "memory_exceeds_node",
                "warning",
                context.line("--mem", "-l", "-R"),
                f"{show_memory(asked)} on one node; {_site(context)} gives at most {show_memory(most)}{_of(nodes)}.",
                f"at most {show_memory(most)} a node",
            )


def _chunk(request: JobRequest, name: str) -> int:
    """The most that one PBS chunk asks for."""
    return max((chunk.get(name) or 0 for chunk in request.extra.chunks or []), default=0)


def _site(context: Context) -> str:
    return context.profile.name or "the site"


def _of(nodes: list[NodeFacts]) -> str:
    types = dict.fromkeys(node.gpu_type for node in nodes if node.gpu_type)
    return f" with {' or '.join(types)}" if 0 < len(types) <= 3 else ""


@rule("gpu_type_or_partition_not_in_profile", verdict=SITE, severity="warning", source=sources.SLURM_GRES)
def partition_name(context: Context) -> Iterator[Finding]:
    """A partition that the site does not have."""
    for request in context.requests:
        limits = _partitions(context, request)
        for name in (request.partition or "").split(","):
            if name and limits and name not in limits:
                yield _not_there(
                    context,
                    f"The site has no partition or queue '{name}'",
                    name,
                    limits,
                    context.dialect.queue_option,
                )


def _partitions(context: Context, request: JobRequest) -> list[str]:
    """All partitions that the request may name; empty where the site's file does not list all of them."""
    profile = context.profile
    if profile.complete:
        return list(profile.partitions)
    with_gpus = [node.partition for node in profile.nodes if node.gpus]
    # Where each kind of node with GPUs names its partition, a job with GPUs has no other.
    if (request.gpus_total or request.gpus_per_node) and with_gpus and all(with_gpus):
        return [*dict.fromkeys(name for name in with_gpus if name), *profile.partitions]
    return []


@rule("gpu_type_or_partition_not_in_profile", verdict=SITE, severity="warning", source=sources.SLURM_GRES)
def gpu_type(context: Context) -> Iterator[Finding]:
    """A GPU type that the site does not have."""
    profile = context.profile
    for request in context.requests:
        here = profile.partition_gpu_types.get(request.partition or "") or profile.gpu_types
        for name in (request.gpu_type or "").split(","):
            if name and here and name not in here:
                where = (
                    f"Partition {request.partition}" if request.partition in profile.partition_gpu_types else "The site"
                )
                yield _not_there(
                    context,
                    f"{where} has no GPU type '{name}'",
                    name,
                    here,
                    *GPU_OPTIONS,
                )


def _not_there(context: Context, message: str, name: str, known: list[str], *options: str) -> Finding:
    alike = [other for other in known if other.lower() == name.lower()]
    hint = f" (spelling counts: '{alike[0]}')" if alike else ""
    return Finding(
        "gpu_type_or_partition_not_in_profile",
        "warning",
        context.line(*options),
        message + hint + ".",
        f"one of: {', '.join(sorted(known)[:10])}",
    )
