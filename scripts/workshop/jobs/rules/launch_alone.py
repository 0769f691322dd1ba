"""A training of several processes that nothing starts but the batch shell, on the first node."""

from __future__ import annotations

from collections.abc import Iterator

from workshop.jobs.launch import Launch
from workshop.jobs.launch.processes import spread
from workshop.jobs.launch.questions import HELPERS, called, is_helper, is_wrapper, looks_like_training, told_nodes
from workshop.jobs.model import SUSPICIOUS, WRONG, Finding
from workshop.jobs.parts import sources
from workshop.jobs.parts.values import atoms
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


@rule("nodes_stay_idle", severity="warning", note_verdict=SUSPICIOUS)
def nodes_stay_idle(context: Context) -> Iterator[Finding]:
    """All that the job starts runs on fewer nodes than it asks for."""
    nodes = context.shape.nodes or 1
    launches = [launch for launch in context.launches if not is_helper(launch)]
    if nodes < 2 or not launches or not context.on_separate_nodes or context.script.seen.pure_foreign:
        return
    if context.reading.broken or context.reading.named(*SPREADERS) or _runs_a_script(context):
        return
    used = [_nodes_of(context, launch) for launch in launches]
    if None in used or not any(launch.on_nodes for launch in launches) or max(used) >= nodes:
        return
    most = max(used)
    launch = launches[used.index(most)]
    word, left = context.dialect.node, nodes - most
    yield Finding(
        "nodes_stay_idle",
        "warning",
        launch.line,
        f"The job asks for {nodes} {word}s, and {called(launch.spread or launch.layers[0])} starts "
        f"{launch.name or 'the program'} on {most} of them: {left} stay{'s' if left == 1 else ''} idle.",
        f"{most} {word}{'s' if most > 1 else ''} in the request, or more tasks for {called(launch.spread)}"
        if launch.spread
        else f"{most} {word} in the request",
    )


def _nodes_of(context: Context, launch: Launch) -> int | None:
    """On how many nodes a launch runs at most; None where others may run beside it, or where it is not known."""
    marks = launch.marks
    if marks.background or marks.repeated or marks.conditional or marks.handler or launch.open:
        return None
    if launch not in context.certain or (is_wrapper(launch) and not launch.on_nodes):
        return None
    alone = launch.agent is not None and not launch.on_nodes
    if alone or (launch.spread and launch.spread.name == "horovodrun"):
        return None  # no_launcher_in_multi_task_job says it
    found = spread(launch, context.shape)
    if found.bound or found.loop or _may_be_another(launch):
        return None
    if launch.spread and launch.spread.name in ("openmpi", "hydra") and found.tasks == 1:
        return None  # it may start others itself, on the other nodes (MPI_Comm_spawn)
    known = [number for number in (found.nodes, found.tasks) if number is not None]
    return min(known) if known else None


def _may_be_another(launch: Launch) -> bool:
    """True where a number of the launch is a default, which a variable of the shell that submits may replace."""
    settings = launch.spread.settings if launch.spread is not None else ()
    found = [atom for one in settings for atom in atoms(one.value or ())]
    return any(atom.kind in ("argument", "loop") or (atom.kind == "variable" and atom.parts) for atom in found)


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
