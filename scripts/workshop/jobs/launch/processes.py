"""How many processes a launch starts, where, and how they meet: from the launch and the request's numbers."""

from __future__ import annotations

import re
from dataclasses import replace

from workshop.jobs.launch.meanings import host_kind, meaning, number
from workshop.jobs.launch.model import Launch, Layer, Meeting, Setting, Shape, Spread
from workshop.jobs.parts.values import Atom, Value, Word, atoms, constant, shown


def _number(layer: Layer, shape: Shape, *fields: str) -> tuple[bool, int | None]:
    """Whether one of these options is given, and its number."""
    setting = layer.get(*fields)
    return (False, None) if setting is None else (True, number(setting.value, shape))


def _ceil(a: int | None, b: int | None) -> int | None:
    return None if a is None or not b else -(-a // b)


def spread(launch: Launch, shape: Shape) -> Spread:
    """How many processes the outermost launcher starts on how many nodes; without one it is a single process."""
    layer = launch.spread
    if layer is None:
        return Spread(1, 1, 1)
    if layer.open:
        return Spread(loop=_in_loop(launch, layer))
    found = SPREADS.get(layer.name, _unknown)(launch, layer, shape)
    if shape.nodes == 1 and found.nodes is None and found.tasks is not None and not (found.loop or found.bound):
        return replace(found, nodes=1, per_node=found.tasks)  # there is no other node
    return found


def _unknown(launch: Launch, layer: Layer, shape: Shape) -> Spread:
    return Spread()


def _srun(launch: Launch, layer: Layer, shape: Shape) -> Spread:
    job = layer.get("jobid")
    other_job = job is not None and {meaning(atom) for atom in job.value or ()} != {"job_id"}
    if layer.has("het_group", "multi_prog") or other_job:
        return Spread()
    has_nodes, nodes = _number(layer, shape, "nodes")
    has_tasks, tasks = _number(layer, shape, "tasks")
    has_each, each = _number(layer, shape, "tasks_per_node")
    bound = layer.has("hosts")
    _, cpus = _number(layer, shape, "cpus_per_task")
    if not has_nodes:
        hosts = _hosts(layer)
        nodes = hosts if bound else shape.nodes
        if has_tasks and tasks is not None and nodes is not None:
            nodes = min(nodes, tasks)
    if layer.has("tasks_per_gpu"):
        return Spread(nodes, None, None, cpus, bound)
    if has_tasks:
        return Spread(nodes, tasks, _ceil(tasks, nodes), cpus, bound)
    if has_each and not _ignored(each, nodes, shape):
        return Spread(nodes, None if nodes is None or each is None else nodes * each, each, cpus, bound)
    if (not has_nodes and not bound) or has_each:
        each = shape.tasks_per_node or _ceil(shape.tasks, shape.nodes)
        return Spread(nodes, shape.tasks, each, cpus)
    # srun -N1 takes the job's number of tasks where that was given: one task only where the job has one a node.
    one_each = shape.tasks is not None and shape.tasks == shape.nodes
    return Spread(nodes, nodes if one_each else None, 1 if one_each else None, cpus, bound)


def _ignored(each: int | None, nodes: int | None, shape: Shape) -> bool:
    """True where srun takes the job's number of tasks, which SLURM_NTASKS tells it, and not ``--ntasks-per-node``.

    "can't honor --ntasks-per-node set to 1 which doesn't match the requested tasks 8 …", as it says itself.
    """
    return None not in (each, nodes, shape.tasks) and each * nodes < shape.tasks


def _hosts(layer: Layer) -> int | None:
    """How many hosts an option names."""
    setting = layer.get("hosts")
    if setting is None or setting.value is None:
        return None
    text = constant(setting.value)
    if text is None:
        kinds = {meaning(atom) for atom in setting.value if not atom.is_text}
        single = kinds and kinds <= {"first_host", "this_host"} and "," not in shown(setting.value)
        return 1 if single else None
    return None if "[" in text or "^" in text else len([name for name in re.split(r"[,\s]+", text) if name])


def _mpi(launch: Launch, layer: Layer, shape: Shape) -> Spread:
    has_tasks, tasks = _number(layer, shape, "tasks")
    each = _each_node(layer, shape)
    cpus = number(layer.get("cpus_per_task").value, shape) if layer.has("cpus_per_task") else None
    if layer.has("hosts"):
        nodes = _hosts(layer)
        return Spread(nodes, tasks, each or _ceil(tasks, nodes), cpus, True)
    if not has_tasks and each is None:
        tasks = shape.tasks if layer.name == "openmpi" and not _says_each(layer) else None
    if each is not None:
        nodes = _ceil(tasks, each) if has_tasks else shape.nodes
        if not has_tasks and nodes is not None:
            tasks = nodes * each
        if nodes is None and shape.nodes == 1:
            nodes = 1  # a loop's counts, which are not known, all go to the job's only node
        return Spread(nodes, tasks, each if tasks is None else min(each, tasks), cpus)
    if _in_turn(layer) and tasks is not None and shape.nodes is not None:
        nodes = min(tasks, shape.nodes)
        return Spread(nodes, tasks, _ceil(tasks, nodes), cpus)
    if _says_each(layer) or _in_turn(layer):
        return Spread(None, tasks, None, cpus)
    if shape.nodes == 1:
        return Spread(1, tasks, tasks, cpus)
    if tasks is not None and tasks == shape.tasks:
        return Spread(shape.nodes, tasks, shape.tasks_per_node or _ceil(tasks, shape.nodes), cpus)
    slots = shape.tasks_per_node
    if tasks is not None and slots and shape.tasks and tasks < shape.tasks:
        return Spread(_ceil(tasks, slots), tasks, min(tasks, slots), cpus)  # the first node is filled first
    return Spread(None, tasks, None, cpus)


def _says_each(layer: Layer) -> bool:
    by = layer.get("map_by")
    slot = by is not None and re.fullmatch(r"slot(?::(?!pe=|PE=)\w+)*", by.text or "")  # as without the option
    return layer.has("tasks_per_node", "one_per_node", "tasks_per_socket") or (by is not None and not slot)


def _in_turn(layer: Layer) -> bool:
    """True where one rank after the other goes to the next node: ``--map-by node``, Intel MPI's ``-rr``."""
    by = layer.get("map_by")
    node = by is not None and re.match(r"node(?::|$)", by.text or "") is not None
    return node or any(setting.spelling in ("-rr", "--rr", "-bynode", "--bynode") for setting in layer.settings)


def _each_node(layer: Layer, shape: Shape) -> int | None:
    """Processes a node by -ppn, -npernode or ``--map-by ppr:N:node``."""
    if layer.has("one_per_node"):
        return 1
    setting = layer.get("tasks_per_node")
    if setting is not None:
        return number(setting.value, shape)
    by = layer.get("map_by")
    if by is None or by.value is None:
        return None
    word = Word(by.value)
    if not word.prefix.startswith("ppr:"):
        return None
    text = by.text
    if text is not None:
        match = re.match(r"ppr:(\d+):node\b", text)
        return int(match[1]) if match else None
    rest = word.cut(4)
    return number(rest[:1], shape) if len(rest) > 1 and rest[1].is_text and rest[1].text.startswith(":node") else None


def _pbsdsh(launch: Launch, layer: Layer, shape: Shape) -> Spread:
    if layer.has("node_number", "hosts"):
        return Spread(1, 1, 1, bound=True)
    has_tasks, tasks = _number(layer, shape, "tasks")
    if layer.has("one_per_node"):
        return Spread(shape.nodes, shape.nodes, 1)
    if has_tasks:
        return Spread(None, tasks, None)
    return Spread(shape.nodes, shape.tasks, shape.tasks_per_node or _ceil(shape.tasks, shape.nodes))


def _blaunch(launch: Launch, layer: Layer, shape: Shape) -> Spread:
    setting = layer.get("hosts")
    if layer.extra:
        return _one_host(launch, layer, layer.extra[0].atoms, shape)
    if setting is not None and setting.value is not None:
        kinds = {meaning(atom) for atom in atoms(setting.value)}
        hosts = shape.nodes if "hosts" in kinds else _hosts(layer)
        return Spread(hosts, hosts, 1, bound=hosts == 1)
    if layer.has("hostfile"):
        return Spread()
    return Spread(shape.nodes, shape.tasks, shape.tasks_per_node or _ceil(shape.tasks, shape.nodes))


def _ssh(launch: Launch, layer: Layer, shape: Shape) -> Spread:
    return _one_host(launch, layer, layer.extra[0].atoms if layer.extra else (), shape)


def _in_loop(launch: Launch, layer: Layer) -> bool:
    """True where a loop goes over hosts and each turn starts one."""
    return launch.marks.repeated and bool(layer.extra) and constant(layer.extra[0].atoms) is None


def _one_host(launch: Launch, layer: Layer, host: Value, shape: Shape) -> Spread:
    if not _in_loop(launch, layer):
        return Spread(1, 1, 1, bound=True)
    loops = [atom for atom in atoms(host) if atom.kind == "loop"]
    values = loops[0].parts if loops else ()
    if values and all(constant(value) is not None for value in values):
        return Spread(len(values), len(values), 1, loop=True)
    if any(meaning(atom) == "hosts" for atom in atoms(host)):
        return Spread(shape.nodes, shape.nodes, 1, loop=True)
    return Spread(None, None, 1, loop=True)


def _pdsh(launch: Launch, layer: Layer, shape: Shape) -> Spread:
    if layer.has("group", "all", "hostfile"):
        return Spread()
    setting = layer.get("hosts")
    kinds = {meaning(atom) for atom in atoms(setting.value or ())} if setting else set()
    nodes = shape.nodes if "hosts" in kinds else _hosts(layer)
    return Spread(nodes, nodes, 1, bound=nodes == 1)


def _lrun(launch: Launch, layer: Layer, shape: Shape) -> Spread:
    if layer.has("one_task"):
        return Spread(1, 1, 1)
    given, each = _number(layer, shape, "tasks_per_node")
    if not given:
        return _jsrun(launch, layer, shape)
    has_nodes, nodes = _number(layer, shape, "nodes")
    nodes = nodes if has_nodes else shape.nodes
    return Spread(nodes, None if nodes is None or each is None else nodes * each, each)


def _jsrun(launch: Launch, layer: Layer, shape: Shape) -> Spread:
    has_nodes, nodes = _number(layer, shape, "nodes")
    if layer.has("tasks"):
        return Spread(nodes, _number(layer, shape, "tasks")[1], None)
    _, sets = _number(layer, shape, "resource_sets")
    _, on_node = _number(layer, shape, "sets_per_node")
    given, each = _number(layer, shape, "tasks_per_set")
    each = each if given else 1
    tasks = sets * each if sets is not None and each is not None else None
    per_node = on_node * each if on_node is not None and each is not None else None
    return Spread(nodes if has_nodes else _ceil(sets, on_node), tasks, per_node)


def _aprun(launch: Launch, layer: Layer, shape: Shape) -> Spread:
    given, tasks = _number(layer, shape, "tasks")
    tasks = tasks if given else 1
    _, each = _number(layer, shape, "tasks_per_node")
    return Spread(_ceil(tasks, each), tasks, each)


def _ibrun(launch: Launch, layer: Layer, shape: Shape) -> Spread:
    if layer.has("tasks"):
        return Spread(None, _number(layer, shape, "tasks")[1], None)
    return Spread(shape.nodes, shape.tasks, shape.tasks_per_node or _ceil(shape.tasks, shape.nodes))


def _horovodrun(launch: Launch, layer: Layer, shape: Shape) -> Spread:
    _, tasks = _number(layer, shape, "tasks")
    if layer.has("hosts", "hostfile"):
        return Spread(_hosts(layer), tasks, None, bound=True)
    return Spread(1, tasks, tasks)


SPREADS = {
    "srun": _srun,
    "openmpi": _mpi,
    "hydra": _mpi,
    "pbsdsh": _pbsdsh,
    "blaunch": _blaunch,
    "ssh": _ssh,
    "pdsh": _pdsh,
    "clush": _pdsh,
    "dsh": _pdsh,
    "jsrun": _jsrun,
    "lrun": _lrun,
    "aprun": _aprun,
    "ibrun": _ibrun,
    "horovodrun": _horovodrun,
}


def agent_nodes(launch: Launch, shape: Shape) -> tuple[bool, int | None]:
    """Whether the agent is told a number of nodes, and that number (of ``2:4`` the least; None = unknown)."""
    agent = launch.agent
    if agent is None:
        return False, None
    if agent.has("standalone"):
        return True, 1
    setting = agent.get("nnodes")
    if setting is None:
        return False, None
    text = setting.text
    if text is not None and ":" in text:
        least = text.partition(":")[0]
        return True, int(least) if least.isdigit() else None
    return True, number(setting.value, shape)


def agent_processes(launch: Launch, shape: Shape) -> tuple[bool, int | None]:
    """Whether the agent is told how many processes to start on a node, and that number (None = unknown).

    accelerate counts in all: its number is divided by that of its machines.
    """
    agent = launch.agent
    if agent is None:
        return False, None
    setting = agent.get("nproc")
    if setting is not None:
        if (setting.text or "").lower() in ("gpu", "auto", "cpu", "xpu"):
            return True, shape.gpus_per_node or None
        return True, number(setting.value, shape)
    setting = agent.get("processes")
    if setting is None:
        return False, None
    given, machines = agent_nodes(launch, shape)
    total, machines = number(setting.value, shape), machines if given else 1
    if total is None or not machines:
        # N times the nodes, over the nodes, is N, also where the nodes are not known.
        return True, _factor(setting, agent.get("nnodes"))
    return True, total // machines if total % machines == 0 else None


def _factor(total: Setting, machines: Setting | None) -> int | None:
    value = total.value or ()
    if machines is None or len(value) != 1 or value[0].kind != "arithmetic" or value[0].text != "*":
        return None
    for part, other in (value[0].parts, value[0].parts[::-1]):
        if _same(part, machines.value or ()) and (found := number(other)) is not None:
            return found
    return None


def _same(a: Value, b: Value) -> bool:
    def key(value: Value) -> list:
        return [(atom.kind, meaning(atom) or atom.text) for atom in value]

    return bool(a) and key(a) == key(b)


def processes_per_node(launch: Launch, shape: Shape) -> int | None:
    """Processes of the program on one node, all launchers taken together; None = unknown."""
    outer = spread(launch, shape)
    agent = launch.agent
    if agent is None:
        return outer.per_node
    given, inner = agent_processes(launch, shape)
    if not given:
        inner = 1 if agent.name in TORCHRUN and not agent.open else None
    return None if inner is None or outer.per_node is None else inner * outer.per_node


def processes(launch: Launch, shape: Shape) -> int | None:
    """Processes of the program in all; None = unknown."""
    each, nodes = processes_per_node(launch, shape), spread(launch, shape).nodes
    if launch.agent is None:
        return spread(launch, shape).tasks
    return None if each is None or nodes is None else each * nodes


# Options of programs that say where the ranks meet.
PROGRAM_ADDRESS = {"--dist-url", "--dist_url", "--init-method", "--init_method", "--dist-init-method"}
PROGRAM_HOST = {"--master-addr", "--master_addr", "--main_process_ip", "--master-address", "--master_ip"}
PROGRAM_PORT = {"--master-port", "--master_port", "--main_process_port", "--port"}


# What hands out the ranks where no backend does.
STATIC = (None, "static")
# Agents with torchrun's options: each is also read from PET_ and its name, and from no other variable. They set
# MASTER_ADDR for the ranks that they start, and do not look at it (torch/distributed/run.py).
TORCHRUN = ("torchrun", "tune")


def meeting(launch: Launch) -> Meeting:
    """What the processes are told in order to find each other."""
    agent = launch.agent
    if agent is None:
        return _of_program(launch)
    backend = agent.get("backend")
    values = {name: _value(agent, name) for name in ("nnodes", "node_rank", "nproc")}
    found = Meeting(
        **values,
        backend=backend.text if backend else None,
        identity=_value(agent, "rendezvous_id"),
        standalone=agent.has("standalone"),
    )
    endpoint = _value(agent, "endpoint")
    if endpoint is not None:
        host, port = _host_and_port(endpoint)
        return replace(found, host=host, port=port or _value(agent, "master_port"), source="endpoint")
    host, port, source = _value(agent, "master_addr"), _value(agent, "master_port"), "master_addr"
    if host is None:
        host = launch.environment.value("PET_MASTER_ADDR" if agent.name in TORCHRUN else "MASTER_ADDR")
        source = "environment" if host is not None else ""
    return replace(found, host=host, port=port, source=source)


def _value(layer: Layer, name: str) -> Value | None:
    setting = layer.get(name)
    return setting.value if setting else None


def _of_program(launch: Launch) -> Meeting:
    words = launch.program[1:]
    host, port, source = None, None, ""
    for index, word in enumerate(words):
        spelling, equals, _ = word.prefix.partition("=")
        value = word.cut(len(spelling) + 1) if equals else words[index + 1].atoms if index + 1 < len(words) else ()
        if spelling in PROGRAM_ADDRESS:
            host, port = _host_and_port(_without_scheme(value))
            source = "argument"
        elif spelling in PROGRAM_HOST:
            host, source = value, "argument"
        elif spelling in PROGRAM_PORT:
            port = value
    environment = launch.environment
    if host is None and (value := environment.value("MASTER_ADDR")) is not None:
        host, source = value, "environment"
    return Meeting(host, port or environment.value("MASTER_PORT"), source)


def _without_scheme(value: Value) -> Value:
    prefix = Word(value).prefix
    match = re.match(r"\w+://", prefix)
    return Word(value).cut(match.end()) if match else value


def _host_and_port(value: Value) -> tuple[Value, Value | None]:
    """``HOST:PORT`` at its last colon; the port is None where there is none."""
    for index in range(len(value) - 1, -1, -1):
        atom = value[index]
        if atom.is_text and ":" in atom.text:
            cut = atom.text.rindex(":")
            if atom.text[cut + 1 :].startswith("]"):
                break
            before = _part(atom, 0, cut)
            after = _part(atom, cut + 1, len(atom.text))
            return (*value[:index], *before), (*after, *value[index + 1 :]) or None
    return value, None


def _part(atom: Atom, start: int, end: int) -> Value:
    if end <= start:
        return ()
    begin = None if atom.start is None else atom.start + start
    return (replace(atom, text=atom.text[start:end], start=begin, end=None if begin is None else begin + end - start),)


def fixed_port(launch: Launch) -> Value | None:
    """The port where the ranks meet, where it is a constant other than 0 (the system chooses)."""
    found = meeting(launch)
    if found.standalone:
        return None
    text = constant(found.port) if found.port else None
    return found.port if text and text.strip().isdigit() and int(text) else None


def meets_locally(launch: Launch) -> str:
    """Why the nodes of a launch cannot meet; "" where they can, or where it is not known.

    ``local``, ``this_host``: the address is each node's own. ``nowhere``: there is none. ``unread``: MASTER_ADDR has
    one, and the agent does not look there.
    """
    found = meeting(launch)
    if found.host is not None:
        kind = host_kind(found.host)
        return kind if kind in ("local", "this_host") else ""
    agent = launch.agent
    if agent is None or launch.open or agent.has("standalone", "config_file", "hostfile", "rendezvous_conf"):
        return ""
    if agent.name in TORCHRUN and launch.environment.value("MASTER_ADDR") is not None:
        return "unread"
    return "nowhere" if agent.name in (*TORCHRUN, "accelerate") else ""


def several_nodes(launch: Launch, shape: Shape) -> bool:
    """True where it is certain that the launch runs on more than one node (a loop over hosts counts)."""
    found = spread(launch, shape)
    nodes = shape.nodes if found.loop and found.nodes is None else found.nodes
    return nodes > 1 if nodes is not None else found.loop


def in_reach(launches: list[Launch], launch: Launch) -> list[Launch]:
    """The launches that run at the same time as ``launch``: those in the background beside it, itself included."""
    if not launch.background:
        return [launch]
    return [other for other in launches if other is launch or other.background]
