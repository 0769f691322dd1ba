"""A training of several processes that nothing starts but the batch shell, on the first node."""

from __future__ import annotations

from collections.abc import Iterator

from workshop.jobs.launch import Launch
from workshop.jobs.launch.questions import HELPERS, called, is_helper, is_wrapper, looks_like_training, told_nodes
from workshop.jobs.model import WRONG, Finding
from workshop.jobs.parts import sources
from workshop.jobs.rules.base import Context
from workshop.jobs.rules.rule import rule

# What runs in the background beside a training and only watches it.
MONITORS = {"tensorboard", "dstat", "htop", "iostat", "nvtop", "sar", "tail", "top", "vmstat", "watch", "wait", "["}
# Programs that start others in a way of their own.
SPREADERS = ("parallel", "xargs", "ray", "dask", "snakemake", "nextflow", "julia", "Rscript", "matlab", "make")


RULE = "no_launcher_in_multi_task_job"


@rule(RULE, verdict=WRONG, severity="warning", source=sources.TORCHRUN)
def no_launcher(context: Context) -> Iterator[Finding]:
    """Many tasks, but the training runs once, in the batch shell."""
    if context.heterogeneous or context.script.seen.pure_foreign or _side_by_side(context):
        return
    for launch in context.certain:
        why = _without_hosts(context, launch)
        if why:
            advice = "-H with each node's name and its processes: -H node1:4,node2:4"
            yield Finding(RULE, "warning", launch.line, why, advice, sources.HOROVOD)
            return
        if launch.on_nodes or not launch.is_training or launch.marks.handler or _answered(context, launch):
            continue
        why = _agent_alone(context, launch) if launch.agent else _python_alone(context)
        if why:
            yield Finding(RULE, "warning", launch.line, why, _launcher(context, launch))
            return


def _without_hosts(context: Context, launch: Launch) -> str:
    """What is wrong with a horovodrun that is told no hosts; under LSF it asks for them itself."""
    layer, nodes = launch.spread, context.shape.nodes or 1
    if layer is None or layer.name != "horovodrun" or layer.open or layer.has("hosts", "hostfile", "discovery"):
        return ""
    if nodes < 2 or context.dialect.package == "lsf" or not context.on_separate_nodes or launch.marks.handler:
        return ""
    node, rest = context.dialect.node, "the other stays" if nodes == 2 else "the others stay"
    return f"horovodrun without -H or --hostfile starts all processes on the first of {nodes} {node}s: {rest} idle."


def _side_by_side(context: Context) -> bool:
    """True where the tasks are programs in the background."""
    background = [command for command in context.reading.commands if command.marks.background and command.words]
    working = [command.marks for command in background if command.name not in HELPERS | MONITORS]
    return len(working) > 1 or any(marks.repeated for marks in working)


def _answered(context: Context, launch: Launch) -> bool:
    """True where something else starts the training on the nodes, or may do so."""
    others = [other for other in context.launches if other is not launch and not is_helper(other)]
    if any(other.on_nodes and (other.is_training or is_wrapper(other)) for other in others):
        return True
    beside = [other for other in others if other.agent or ((other.background or launch.background) and other.is_python)]
    if launch.agent is None and (beside or context.reading.named(*SPREADERS)):
        return True
    if looks_like_training(launch):
        return False
    # A program that only prepares or draws stands beside an MPI program, or beside a script of unknown content.
    return any(other.on_nodes or is_wrapper(other) for other in others) or _runs_a_script(context)


def _runs_a_script(context: Context) -> bool:
    """True where the batch shell runs a script of unknown content."""
    names = [command.words[0].text for command in context.reading.commands if command.words and not command.calls]
    return any(name is None or name.startswith("./") or name.endswith(".sh") for name in names)


def _agent_alone(context: Context, launch: Launch) -> str:
    """What is wrong with an agent in the batch shell of a job of several nodes; "" where nothing is."""
    nodes, agent = context.shape.nodes, launch.agent
    if nodes is None or nodes < 2 or agent.has("hostfile", "hosts", "deepspeed_hostfile", "config_file", "remote"):
        return ""
    told = told_nodes(launch, context.shape)[1]
    if not context.on_separate_nodes and not (told and told > 1):
        return ""
    node = context.dialect.node
    where = f"{called(agent)} starts on the first of {nodes} {node}s only: nothing starts it on the others, "
    if agent.name == "deepspeed":
        return f"{where}and without --hostfile it uses the GPUs of its own {node} alone."
    if told == 1:
        return f"{where}which stay idle."
    return f"{where}so the rendezvous waits until it times out."


def _python_alone(context: Context) -> str:
    """The same of a plain python."""
    request, shape, dialect = context.request, context.shape, context.dialect
    if dialect.package == "lsf":
        hosts = request.nodes or 1
        alone = hosts > 1 and bool(request.tasks_per_node)
        return (
            f"The job has {hosts} hosts, but nothing starts a process on the others: the script runs on the first."
            if alone
            else ""
        )
    if dialect.package == "pbs":
        asked = any(chunk.get("mpiprocs", 1) > 1 for chunk in request.extra.chunks or [])
        return (
            f"mpiprocs asks for {request.tasks} ranks, but a plain python runs once, on the first host."
            if asked
            else ""
        )
    if not shape.tasks or shape.tasks < 2:
        return ""
    return (
        f"The job asks for {request.tasks} tasks, but a plain python runs once, on the first node: the other tasks "
        "never start. A framework that sees SLURM_NTASKS may wait for them forever."
    )


def _as_cores(context: Context) -> str:
    """One task with the cores of all of them, where they lie on one node; else one task."""
    request = context.request
    cores = request.cpus_total or request.tasks
    known = (request.nodes or 1) == 1 and cores and request.tasks and not context.given("--cpus-per-gpu")
    return f"--ntasks=1 with --cpus-per-task={cores}" if known else "--ntasks=1"


def _launcher(context: Context, launch: Launch) -> str:
    name = called(launch.agent) if launch.agent else "python"
    if context.script.scheduler == "slurm":
        return f"srun --ntasks-per-node=1 {name} …" if launch.agent else f"srun python …, or {_as_cores(context)}"
    if context.dialect.package == "lsf":
        return (
            f'blaunch -z "$(sort -u "$LSB_DJOB_HOSTFILE")" {name} …'
            if launch.agent
            else "blaunch, mpirun or jsrun in front"
        )
    return f"pbsdsh or mpiexec with one {name} a host" if launch.agent else "mpiexec python …, or no mpiprocs"
