"""LSF: rules on slots, hosts and GPUs, compared with what is started."""

from __future__ import annotations

from collections.abc import Iterator

from workshop.jobs.launch.processes import processes_per_node
from workshop.jobs.launch.questions import called, is_helper
from workshop.jobs.model import WRONG, Finding
from workshop.jobs.parts import sources
from workshop.jobs.rules.base import Context
from workshop.jobs.rules.rule import rule


@rule("slots_may_spread_over_hosts", severity="warning", source=sources.LSF_SPAN)
def slots_may_spread(context: Context) -> Iterator[Finding]:
    """Several slots without span: up to as many hosts."""
    request = context.request
    slots = request.extra.slots_max or request.tasks or 1
    if slots < 2 or request.nodes is not None or _host_is_named(context):
        return
    if not request.gpus_per_node and not _needs_one_host(context):
        return
    gpus = request.gpus_per_node
    each = f", each of them with {gpus} GPU{'s' if gpus > 1 else ''}" if gpus else ""
    yield Finding(
        "slots_may_spread_over_hosts",
        "warning",
        context.line("-n"),
        f"Nothing keeps the {slots} slots together: LSF may take up to {slots} hosts{each}, and the script runs on "
        "the first.",
        '#BSUB -R "span[hosts=1]"',
    )


def _host_is_named(context: Context) -> bool:
    """True where the slots are kept together by other means: one host, whole nodes, ``span``."""
    if any("span[" in (directive.value or "").replace(" ", "") for directive in context.script.directives):
        return True
    hosts = context.script.last("-m")
    return context.given("-nnodes", "-hostfile") or (hosts is not None and len((hosts.value or "").split()) == 1)


def _needs_one_host(context: Context) -> bool:
    """True where the batch shell runs a training, or threads, and nothing starts processes on other hosts."""
    if any(launch.on_nodes for launch in context.launches):
        return False
    threads = bool(context.reading.set("OMP_NUM_THREADS"))
    return threads or any(launch.is_training for launch in context.launches)


@rule("more_processes_than_gpus", verdict=WRONG, severity="warning", source=sources.LSF_GPU)
def more_ranks_than_gpus(context: Context) -> Iterator[Finding]:
    """In exclusive_process mode a GPU takes one process."""
    request = context.request
    if request.extra.gpu_mode != "exclusive_process" or any(
        "mps=yes" in (directive.value or "") for directive in context.script.directives
    ):
        return
    for launch in context.certain:
        each, gpus = processes_per_node(launch, context.shape), context.shape.gpus_per_node
        if launch.agent is not None or not launch.on_nodes or is_helper(launch) or not gpus or not each or each <= gpus:
            continue
        yield Finding(
            "more_processes_than_gpus",
            "warning",
            launch.line,
            f"{called(launch.spread)} starts {each} processes on a host with {gpus} GPU{'s' if gpus > 1 else ''}, and "
            "in exclusive_process mode a GPU takes one process.",
            f"as many processes as GPUs, or mode=shared: {called(launch.spread)} -n {gpus} for each host",
        )
        return
