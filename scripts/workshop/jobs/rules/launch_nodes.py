"""Rules on a training over several nodes: is it one, do its nodes meet, and does each know its number."""

from __future__ import annotations

import re
from collections.abc import Iterator

from workshop.jobs.launch import Launch, Shape
from workshop.jobs.launch.meanings import differs_per_task
from workshop.jobs.launch.processes import (
    STATIC,
    agent_nodes,
    fixed_port,
    meeting,
    meets_locally,
    several_nodes,
    spread,
)
from workshop.jobs.launch.questions import (
    TORCH,
    by_turns,
    called,
    decided_inside,
    differs_by_node,
    gpus_on_node,
    is_helper,
    on_other_devices,
    told_nodes,
    told_one_node,
    written,
)
from workshop.jobs.model import WRONG, Finding
from workshop.jobs.parts import sources
from workshop.jobs.parts.csh import is_csh
from workshop.jobs.parts.values import Value, atoms, constant, shown
from workshop.jobs.rules.base import Context
from workshop.jobs.rules.rule import rule


def _once(context: Context, launch: Launch) -> bool:
    """True where an agent of PyTorch is started once on each of several nodes."""
    agent = launch.agent
    return (
        agent is not None
        and agent.name in TORCH
        and several_nodes(launch, context.shape)
        and spread(launch, context.shape).per_node == 1
    )


@rule("each_node_trains_alone", verdict=WRONG, severity="warning", source=sources.TORCHRUN)
def each_node_trains_alone(context: Context) -> Iterator[Finding]:
    """An agent is started on several nodes, and told of one: each node trains for itself, and all look successful."""
    for launch in context.certain:
        if not _once(context, launch) or not told_one_node(launch, context.shape):
            continue
        if differs_by_node(launch, context.shape) or decided_inside(launch):
            continue
        nodes = spread(launch, context.shape).nodes or context.request.nodes
        yield Finding(
            "each_node_trains_alone",
            "warning",
            launch.line,
            f"{called(launch.agent)} is started on {f'each of {nodes} nodes' if nodes else 'each node'}, and its "
            f"options say one node: {'these are' if nodes is None else f'{nodes}'} separate trainings that share "
            "nothing, and each of them ends as if it had worked.",
            _for_all_nodes(launch, nodes),
        )


# What an agent needs besides the number of nodes: field -> how it is written.
MEETING = {
    "backend": "--rdzv-backend=c10d",
    "rendezvous_id": "--rdzv-id",
    "endpoint": "--rdzv-endpoint=FIRST_NODE:PORT",
}
MEETING_OF_ACCELERATE = {
    "backend": "--rdzv_backend c10d",
    "master_addr": "--main_process_ip",
    "master_port": "--main_process_port",
}


def _for_all_nodes(launch: Launch, nodes: int | None) -> str:
    """The number of nodes, and what is not there yet of the options by which they meet."""
    agent, many = launch.agent, nodes or "NODES"
    if agent.has("standalone"):
        return f"--nnodes={many} in the place of --standalone, with {_listed([*MEETING.values()])}"
    accelerate = agent.name == "accelerate"
    number, needed = (f"--num_machines {many}", MEETING_OF_ACCELERATE) if accelerate else (f"--nnodes={many}", MEETING)
    lacking = [text for field, text in needed.items() if not agent.has(field)]
    if agent.has("node_rank") and agent.has("master_addr") and not agent.has("backend"):
        return number  # each node is told its number, and meets the others at a fixed address
    return number + (f" with {_listed(lacking)}" if lacking else "")


def _listed(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


@rule("rendezvous_stays_on_one_node", verdict=WRONG, severity="warning", source=sources.TORCHRUN)
def rendezvous_stays(context: Context) -> Iterator[Finding]:
    """Several nodes are to meet at an address that each of them takes for itself."""
    for launch in context.certain:
        why = meets_locally(launch) if _meets(context, launch) else ""
        if not why or decided_inside(launch):
            continue
        host = meeting(launch).host
        yield Finding(
            "rendezvous_stays_on_one_node",
            "warning",
            launch.line,
            f"{_where(why, shown(host) if host else '', launch)}: the nodes never meet, and the training waits until "
            "it times out.",
            _address(why, launch, context),
        )


def _address(why: str, launch: Launch, context: Context) -> str:
    if why == "unread" and meeting(launch).backend in STATIC:
        return '--master-addr="$MASTER_ADDR" --master-port="$MASTER_PORT"'
    if why == "unread":
        return '--rdzv-endpoint="${MASTER_ADDR}:${MASTER_PORT}"'
    return f"the first node's name, put in by the batch shell: {_first_node(context)}"


def _meets(context: Context, launch: Launch) -> bool:
    """True for a training that has to meet over several nodes."""
    if not launch.is_training or not several_nodes(launch, context.shape):
        return False
    if launch.agent is None:
        return True
    if any(name.startswith("PET_") for name in launch.environment.variables):
        return False  # torchrun reads its options there, too
    given, nodes = told_nodes(launch, context.shape)
    return given and nodes is not None and nodes > 1


def _where(why: str, host: str, launch: Launch) -> str:
    if why == "unread":
        name = called(launch.agent)
        return f"{name} does not read MASTER_ADDR, which it sets itself, and its default is 127.0.0.1 on each node"
    if why == "nowhere":
        return "No address is named where the nodes meet, and the default is 127.0.0.1, on each node its own"
    if why == "this_host":
        return f"{host} is evaluated by each task, which gets the name of its own node"
    return f"The address {host} is on each node the node itself"


def _first_node(context: Context) -> str:
    if context.script.scheduler == "slurm":
        command = 'scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1'
    else:
        file = "$LSB_DJOB_HOSTFILE" if context.script.scheduler == "lsf" else "$PBS_NODEFILE"
        command = f'head -n 1 "{file}"'
    return f"`{command}`" if is_csh(context.script.text) else f"$({command})"


@rule("same_node_rank_on_every_node", verdict=WRONG, severity="warning", source=sources.TORCHRUN)
def same_node_rank(context: Context) -> Iterator[Finding]:
    """Every node gets the same number."""
    for launch in context.certain:
        agent, found = launch.agent, meeting(launch)
        rank = constant(found.node_rank) if found.node_rank else None
        if agent is None or rank is None or not rank.strip().isdigit() or found.backend not in STATIC:
            continue
        given, nodes = told_nodes(launch, context.shape)
        if not given or nodes is None or nodes < 2 or not several_nodes(launch, context.shape):
            continue
        if decided_inside(launch) or agent.has("rendezvous_conf"):
            continue
        yield Finding(
            "same_node_rank_on_every_node",
            "warning",
            launch.line,
            f"{agent.get('node_rank').spelling} {rank.strip()} reaches all {nodes} nodes, so that each of them is "
            f"node {rank.strip()}: the ranks exist twice, and the training waits for the missing ones or ends with "
            "EADDRINUSE.",
            "--rdzv-backend=c10d, which hands out the numbers itself"
            if agent.name != "accelerate"
            else "--rdzv_backend c10d, which hands out the numbers itself",
        )


@rule("agents_one_after_the_other", verdict=WRONG, severity="warning", source=sources.TORCHRUN)
def one_after_the_other(context: Context) -> Iterator[Finding]:
    """The first node's agent waits for the others, which are started only when it has ended."""
    ahead = False
    for launch in context.launches:
        agent, found = launch.agent, spread(launch, context.shape)
        if agent is None or agent.name not in (*TORCH, "fabric") or not launch.on_nodes:
            continue
        if _beside(launch):
            ahead = True
            continue
        given, nodes = told_nodes(launch, context.shape)
        several = given and nodes is not None and nodes > 1
        alone = found.loop or (found.nodes == 1 and found.bound)
        if ahead or not several or not alone or launch.marks.conditional or launch not in context.certain:
            continue
        if launch.marks.uncalled or launch.marks.handler or _once_only(context, launch, nodes):
            continue
        where = "the loop starts the next one" if launch.marks.repeated else "the next line starts another"
        yield Finding(
            "agents_one_after_the_other",
            "warning",
            launch.line,
            f"{called(launch.spread)} starts {called(agent)} on one node and waits for it, while {called(agent)} waits "
            f"for {nodes} nodes: {where} only when the first has given up.",
            "& behind the line and wait below, or one line for all nodes: " + _on_all_nodes(context, launch),
        )
        return


def _beside(launch: Launch) -> bool:
    """True for an agent that the shell does not wait for: in the background, ``ssh -f``, several by xargs."""
    behind = any(layer.name == "ssh" and any("f" in one.spelling for one in layer.settings) for layer in launch.layers)
    return launch.background or behind or by_turns(launch)


def _once_only(context: Context, launch: Launch, nodes: int) -> bool:
    """True for one line for one node of a training whose other nodes may belong to other jobs."""
    return not launch.marks.repeated and (context.shape.nodes or 1) < nodes


def _on_all_nodes(context: Context, launch: Launch) -> str:
    name = called(launch.agent)
    if context.script.scheduler == "slurm":
        return f"srun --ntasks-per-node=1 {name} … --rdzv-backend=c10d, without a node's number"
    if context.dialect.package == "lsf":
        return f'blaunch -z "$(sort -u "$LSB_DJOB_HOSTFILE")" {name} … --rdzv-backend=c10d, without a node\'s number'
    return f"pbsdsh or mpiexec, one {name} a host, with --rdzv-backend=c10d and without a node's number"


@rule("nnodes_differs_from_nodes", verdict=WRONG, severity="warning", source=sources.TORCHRUN)
def nnodes_differs(context: Context) -> Iterator[Finding]:
    """The agent waits for another number of nodes than the job has."""
    nodes = context.shape.nodes
    if nodes is None or context.request.extra.nodes_max or not context.on_separate_nodes:
        return
    for launch in context.certain:
        agent = launch.agent
        if agent is None or agent.name not in (*TORCH, "fabric"):
            continue
        setting, (_, told) = agent.get("nnodes"), agent_nodes(launch, Shape())
        if told in (None, 1, nodes) or setting is None or not written(setting.value):
            continue
        found = spread(launch, context.shape)
        # --nnodes counts agents: as many as tasks is right, wherever they run.
        if found.nodes != nodes or told == found.tasks or _one_of_several_jobs(context, launch):
            continue
        yield Finding(
            "nnodes_differs_from_nodes",
            "warning",
            launch.line,
            f"{setting.spelling} says {told} nodes, the job has {nodes}: "
            + ("the rendezvous waits until it times out." if told > nodes else "the rest of them is turned away."),
            f"{setting.spelling} {nodes}",
        )


def _one_of_several_jobs(context: Context, launch: Launch) -> bool:
    """True where the nodes may be those of several jobs: each of an array, or told its number from outside."""
    rank = meeting(launch).node_rank
    return context.shape.nodes == 1 and (context.request.array is not None or (bool(rank) and constant(rank) is None))


@rule("torchrun_needs_one_task_per_node", verdict=WRONG, severity="warning", source=sources.TORCHRUN)
def torchrun_needs_one_task(context: Context) -> Iterator[Finding]:
    """An agent is started several times on a node."""
    for launch in context.certain:
        agent, found = launch.agent, spread(launch, context.shape)
        if agent is None or not launch.on_nodes or not found.per_node or found.per_node < 2:
            continue
        given, nodes = told_nodes(launch, context.shape)
        meet = given and nodes == found.tasks and nodes is not None and nodes > 1
        if meet and not _take_the_first_gpus(context, launch):
            continue
        yield Finding(
            "torchrun_needs_one_task_per_node",
            "warning",
            launch.line,
            f"{called(launch.spread)} starts {called(agent)} {found.per_node} times on each node, and each of them "
            + (
                "counts its processes from LOCAL_RANK 0: they all use the same GPUs."
                if meet
                else "starts all local processes: they fight for GPUs and for the rendezvous."
            ),
            _one_a_node(context, launch, found.nodes if meet else None),
        )
        return


# Options that give each task GPUs of its own, in which it is right that each agent counts from 0.
OWN_GPUS = ("--gpus-per-task", "--gpu-bind", "--ntasks-per-gpu", "--tres-per-task", "--tres-bind")


def _take_the_first_gpus(context: Context, launch: Launch) -> bool:
    """True where all agents of a node see the same GPUs, so that each uses them from the first one on."""
    if not gpus_on_node(launch, context.shape) or on_other_devices(launch):
        return False
    if launch.environment.value("CUDA_VISIBLE_DEVICES") is not None or any(
        "CUDA_VISIBLE_DEVICES" in word.shown for word in launch.words
    ):
        return False
    given = {setting.spelling.partition("=")[0] for layer in launch.layers for setting in layer.settings}
    return not given.intersection(OWN_GPUS) and not any(map(context.script.last, OWN_GPUS))


def _cores_of_one(context: Context) -> str:
    """The cores of all tasks of a node for the one that is left, where the request says how many they are."""
    tasks, cores = context.shape.tasks_per_node, context.shape.cpus_per_task
    return f" --cpus-per-task={tasks * cores}" if tasks and cores and context.given("--cpus-per-task") else ""


def _one_a_node(context: Context, launch: Launch, agents: int | None) -> str:
    if launch.spread.name == "srun":
        # Those that have met were told how many agents there are, and will be fewer.
        told = f" --nnodes={agents}" if agents else ""
        gpus, name = gpus_on_node(launch, context.shape), called(launch.agent)
        each = "" if launch.agent.name != "torchrun" else f" --nproc_per_node={gpus or 'GPUS'}"
        return f"--ntasks-per-node=1{_cores_of_one(context)} with {name}{told}{each}, or srun python without {name}"
    return f"one {called(launch.agent)} a {context.dialect.node}, or {called(launch.spread)} python without it"


@rule("rendezvous_value_differs_per_task", verdict=WRONG, severity="warning", source=sources.TORCHRUN)
def value_differs_per_task(context: Context) -> Iterator[Finding]:
    """Each task draws its own port or rendezvous id, so that they never meet."""
    for launch in context.launches:
        found = meeting(launch)
        if spread(launch, context.shape).tasks == 1 or not launch.on_nodes:
            continue
        for value, what in ((found.port, "port"), (found.identity, "rendezvous id")):
            if differs_per_task(value):
                yield Finding(
                    "rendezvous_value_differs_per_task",
                    "warning",
                    launch.line,
                    f"The {what} {shown(value)} is evaluated by each task for itself, and each gets another one: they "
                    "never meet.",
                    f"a {what} from the job id, put in by the batch shell: {_own_number(context)}",
                )
                break


def _own_number(context: Context) -> str:
    """A port that no other job on the node has, in the words of the scheduler and of the script's shell."""
    job = {"slurm": "SLURM_JOB_ID", "lsf": "LSB_JOBID"}.get(context.script.scheduler, "")
    if is_csh(context.script.text):
        digits = f"${job}" if job else "`echo $PBS_JOBID | cut -d. -f1`"
        return f"set port = `expr 20000 + {digits} % 10000`" if job else f"set number = {digits}, and $number % 10000"
    return f"$((20000 + {job or '${PBS_JOBID%%[!0-9]*}'} % 10000))"


@rule("fixed_port_on_shared_node", severity="warning", source=sources.TORCHRUN)
def fixed_port_on_shared_node(context: Context) -> Iterator[Finding]:
    """A port that is the same for everyone who uses these lines."""
    if context.request.exclusive:
        return
    for launch in context.launches:
        if is_helper(launch) or launch.first("jsrun") or not _meets_there(launch):
            continue
        value = fixed_port(launch) or _counted_port(context, launch)
        if value is None:
            continue
        port = constant(value).strip()
        yield Finding(
            "fixed_port_on_shared_node",
            "warning",
            context.line_of(value[0].start) or launch.line,
            f"The port {port} is the same for everyone who uses these lines: two jobs on one node collide "
            "(EADDRINUSE), or join each other.",
            _free_port(context, launch),
        )
        return


def _free_port(context: Context, launch: Launch) -> str:
    """A port that nobody else has; torchrun on one node finds one itself."""
    own = f"a port from the job id: {_own_number(context)}"
    agent, nodes = launch.agent, spread(launch, context.shape).nodes
    alone = agent is not None and agent.name == "torchrun" and not several_nodes(launch, context.shape)
    if alone and nodes == 1 and context.shape.nodes == 1:
        return f"torchrun --standalone, without a port, or {own}"
    return f"one node: torchrun --standalone; else {own}" if alone else own


def _counted_port(context: Context, launch: Launch) -> Value | None:
    """The constant from which the script counts its ports on, or one of several constants."""
    found = meeting(launch)
    if found.standalone or found.port is None or len(found.port) != 1 or found.port[0].kind != "unknown":
        return None
    name = found.port[0].text
    values = [one.value for one in context.reading.set(name)]
    numbers = [value for value in values if re.fullmatch(r"\s*[1-9]\d*\s*", constant(value) or "")]
    counted = [atom for value in values if value not in numbers for atom in atoms(value)]
    own = all(atom.is_text or atom.kind == "arithmetic" or atom.text == name for atom in counted)
    return numbers[0] if numbers and own else None


def _meets_there(launch: Launch) -> bool:
    """True where the port is one at which ranks meet: ``--port`` of any program need not be."""
    if launch.agent is not None or meeting(launch).source:
        return True
    return launch.environment.value("MASTER_PORT") is not None
