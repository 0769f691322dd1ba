"""Rules on the processes of a node and its GPUs: too many, too few, or the wrong ones."""

from __future__ import annotations

import re
from collections.abc import Iterator

from workshop.jobs.launch import Launch, Shape
from workshop.jobs.launch.processes import agent_processes, spread
from workshop.jobs.launch.questions import (
    GPU_FIELDS,
    MPS,
    by_turns,
    called,
    gpus_on_node,
    is_helper,
    on_other_devices,
    written,
)
from workshop.jobs.model import WRONG, Finding
from workshop.jobs.parts import sources
from workshop.jobs.parts.reading import Assignment
from workshop.jobs.parts.values import constant, shown
from workshop.jobs.rules.base import Context
from workshop.jobs.rules.rule import rule


def _number_of(launch: Launch) -> int | None:
    """Processes a node that an agent is told by a number, not by the job's own variables; None = not known."""
    agent = launch.agent
    if agent is None or (agent.has("config_file") and not agent.has("nnodes")):
        return None
    settings = (agent.get("nproc"), agent.get("processes"))
    if not any(written(setting.value) for setting in settings if setting is not None):
        return None
    return agent_processes(launch, Shape())[1]


def _option(launch: Launch) -> str:
    setting = launch.agent.get("nproc") or launch.agent.get("processes")
    return setting.spelling


@rule("more_processes_than_gpus", verdict=WRONG, severity="warning", source=sources.TORCHRUN)
def more_processes_than_gpus(context: Context) -> Iterator[Finding]:
    """An agent starts more processes than the node has GPUs."""
    for launch in context.certain:
        gpus = gpus_on_node(launch, context.shape)
        number = _number_of(launch)
        if not gpus or number is None or number <= gpus or not context.on_separate_nodes or on_other_devices(launch):
            continue
        yield Finding(
            "more_processes_than_gpus",
            "warning",
            launch.line,
            f"{called(launch.agent)} starts {number} processes on a {context.dialect.node} with {_gpus(gpus)}: from "
            f"process {gpus} on they end with 'invalid device ordinal'.",
            _as_many(launch, gpus),
        )


def _gpus(number: int) -> str:
    return f"{number} GPU{'s' if number > 1 else ''}"


def _as_many(launch: Launch, gpus: int) -> str:
    """The option with the number of GPUs; accelerate counts the processes of all machines."""
    option = _option(launch)
    if launch.agent.get("nproc"):
        return f"{option}{'=' if option.startswith('--') else ' '}{gpus}"
    return f"{option} with {gpus} for each machine"


@rule("launcher_leaves_gpus_idle", severity="warning", source=sources.TORCHRUN)
def launcher_leaves_gpus_idle(context: Context) -> Iterator[Finding]:
    """An agent starts fewer processes than the node has GPUs, and nothing else uses the others."""
    agents = [launch for launch in context.certain if launch.agent is not None]
    for launch in agents:
        gpus, number = gpus_on_node(launch, context.shape), _number_of(launch)
        if not gpus or not number or number >= gpus or on_other_devices(launch) or _shared(context, launch):
            continue
        if any(_uses_all(other, gpus) for other in agents if other is not launch):
            continue
        idle = gpus - number
        yield Finding(
            "launcher_leaves_gpus_idle",
            "warning",
            launch.line,
            f"{called(launch.agent)} starts {number} process{'es' if number > 1 else ''} on a {context.dialect.node} "
            f"with {_gpus(gpus)}: {idle} of them stay{'s' if idle == 1 else ''} idle.",
            f"{_as_many(launch, gpus)}, or ask for {_gpus(number)}",
        )


def _shared(context: Context, launch: Launch) -> bool:
    """True where several programs share the node: others in the background, or the line itself in a loop."""
    found = spread(launch, context.shape)
    if (
        by_turns(launch)
        or (launch.background and launch.marks.repeated and not found.loop)
        or (found.per_node or 1) > 1
    ):
        return True
    others = [other for other in context.launches if other is not launch and not is_helper(other)]
    return any(other.background and not _on_other_nodes(other, launch) for other in others)


def _on_other_nodes(other: Launch, launch: Launch) -> bool:
    """True for the same line for another node, as scripts write it that start each node by itself."""
    return bool(other.agent and launch.agent and other.on_nodes and launch.on_nodes and other.name == launch.name) and (
        shown(other.spread.program.atoms) == "ssh" or other.spread.has("hosts") or bool(other.spread.extra)
    )


def _uses_all(other: Launch, gpus: int) -> bool:
    number = _number_of(other)
    return agent_processes(other, Shape())[0] and (number is None or number >= gpus)


@rule("tasks_share_a_gpu", severity="warning", source=sources.SLURM_GRES)
def tasks_share_a_gpu(context: Context) -> Iterator[Finding]:
    """More ranks of a Python program than GPUs on a node."""
    if _sharing_is_asked_for(context):
        return
    for launch in context.certain:
        if launch.agent is not None or not launch.is_training or not launch.on_nodes or on_other_devices(launch):
            continue
        if launch.spread.name == "horovodrun" and context.dialect.package == "lsf":
            continue  # it asks LSF for the hosts
        ranks, gpus, place = _ranks_and_gpus(context, launch)
        if not gpus or not ranks or ranks <= gpus or launch.spread.has("tasks_per_gpu"):
            continue
        yield Finding(
            "tasks_share_a_gpu",
            "warning",
            launch.line,
            f"{called(launch.spread)} starts {ranks} {context.dialect.task}s {place} with {_gpus(gpus)}: several "
            "processes of Python share one.",
            f"{gpus} {context.dialect.task}{'s' if gpus > 1 else ''} "
            f"{'in all' if place == IN_ALL else f'a {context.dialect.node}'}, with more cores each",
        )
        return


IN_ALL = "in a job"


def _ranks_and_gpus(context: Context, launch: Launch) -> tuple[int | None, int | None, str]:
    """How many there are, and where: on each node, or in all where the number of nodes is the scheduler's choice."""
    found, request = spread(launch, context.shape), context.request
    if request.nodes is None and not context.heterogeneous:
        return found.tasks, request.gpus_total, IN_ALL
    if not context.on_separate_nodes:
        return None, None, ""
    gpus = gpus_on_node(launch, context.shape)
    if gpus is None and request.gpus_total and not launch.spread.has(*GPU_FIELDS) and not context.heterogeneous:
        return found.tasks, request.gpus_total, IN_ALL  # how they lie on the nodes is the scheduler's choice
    return found.per_node, gpus, f"on each {context.dialect.node}"


def _sharing_is_asked_for(context: Context) -> bool:
    request = context.request
    if request.extra.gpus_per_task or (request.extra.tasks_per_gpu or 0) > 1:
        return True
    if request.extra.gpu_mode == "exclusive_process":
        return True  # then they do not share: more_processes_than_gpus
    if any(re.search(r"\bmps\b", directive.value or "") for directive in context.script.directives):
        return True
    return bool(MPS.search(context.reading.text))


NUMBERS = re.compile(r"\d+(?:,\d+)*,?\Z")
OF_THE_NODE = {"SLURM_JOB_GPUS", "SLURM_STEP_GPUS"}


@rule("cuda_visible_devices_set_by_hand", severity="warning", source=sources.SLURM_GRES)
def cuda_visible_devices(context: Context) -> Iterator[Finding]:
    """The list of GPUs is replaced by numbers that somebody wrote."""
    found = [one for one in context.reading.set("CUDA_VISIBLE_DEVICES") if not one.marks.uncalled]
    told = {launch.line for launch in context.launches if _told_by_env(launch)}
    numbers = {shown(one.value) for one in found if _by_hand(one)}
    shares = len(numbers) > 1 or len(told) + sum(one.before_command for one in found) > 1
    for one in found:
        if not _by_hand(one) or one.marks.conditional or (shares and not _of_the_node(one)):
            continue
        yield Finding(
            "cuda_visible_devices_set_by_hand",
            "warning",
            one.line,
            f"CUDA_VISIBLE_DEVICES={shown(one.value)} replaces what the scheduler has set: "
            + (
                "these are the numbers of the node, while the job may see its GPUs as 0, 1, …"
                if _of_the_node(one)
                else "the numbers may be another job's GPUs, or none of this job's."
            ),
            _without_it(context, one),
        )
        return


SET_IN_LINE = re.compile(r"\s*\bCUDA_VISIBLE_DEVICES=(?:\"[^\"]*\"|'[^']*'|[^\s;\"']*)(?=[\s;]|$)")


def _without_it(context: Context, one: Assignment) -> str:
    """What to delete: the line, or what stands in front of a command that stays."""
    line = "".join(context.script.seen.lines[one.line - 1 : one.line])
    rest = re.sub(r"^export\s*;\s*", "", SET_IN_LINE.sub("", line).strip())
    if one.before_command and rest and rest != line.strip():
        rest = f"{rest[:-1].rstrip()} …" if rest.endswith("\\") else rest
        return f"{rest}   without CUDA_VISIBLE_DEVICES: the scheduler has set it to the job's GPUs"
    return "delete the line: the scheduler has set CUDA_VISIBLE_DEVICES to the job's GPUs"


def _by_hand(one: Assignment) -> bool:
    return bool(NUMBERS.match(constant(one.value) or "")) or _of_the_node(one)


def _of_the_node(one: Assignment) -> bool:
    return len(one.value) == 1 and one.value[0].kind == "variable" and one.value[0].text in OF_THE_NODE


def _told_by_env(launch: Launch) -> bool:
    """True for ``env CUDA_VISIBLE_DEVICES=0 python …`` and the like."""
    settings = [setting for layer in launch.layers for setting in layer.settings]
    return any("CUDA_VISIBLE_DEVICES=" in setting.shown for setting in settings)
