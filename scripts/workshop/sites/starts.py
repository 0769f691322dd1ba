"""What a job script starts, in sentences: the launchers in their order, the ranks, and where these meet."""

from workshop.jobs.launch import Launch, Meeting
from workshop.jobs.launch.meanings import meaning
from workshop.jobs.launch.processes import meeting, processes_per_node, several_nodes, spread
from workshop.jobs.launch.questions import called
from workshop.jobs.model import Script
from workshop.jobs.parts.values import atoms, shown
from workshop.jobs.profile import Profile
from workshop.jobs.report import count
from workshop.jobs.rules.base import Context

__all__ = ["starts"]

# Launchers that a reader wants to see; a shell or timeout between them says nothing about ranks.
NAMED = ("spread", "container", "agent", "python")


def starts(script: Script, profile: Profile | None = None) -> list[str]:
    """One sentence for each training that ``script`` starts; programs that only prepare are left out.

    Args:
        script: from ``read_script``, for one of the schedulers that are read.
        profile: facts of the site, as for ``check``.
    """
    context = Context(script, profile or Profile())
    return [_sentence(launch, context) for launch in context.launches if launch.is_training]


def _sentence(launch: Launch, context: Context) -> str:
    chain = [called(layer) for layer in launch.layers if layer.kind in NAMED]
    program = launch.name or "a program whose name a variable holds"
    return f"Starts {' → '.join([*chain, program])}: {_ranks(launch, context)}{_meet(launch, context)}."


def _ranks(launch: Launch, context: Context) -> str:
    """How many processes of the program; in the script's own words where a number is not known."""
    each, nodes = processes_per_node(launch, context.shape), spread(launch, context.shape).nodes
    node = context.dialect.node
    where = f"each of {nodes} {node}s" if nodes and nodes > 1 else f"one {node}" if nodes else f"each {node}"
    if each is None:
        said = _written(launch)
        return f"as many ranks on {where} as {said} says" if said else f"ranks on {where}, their number is not known"
    if each == nodes == 1:
        return "one process"
    total = f", {each * nodes} in all" if nodes and nodes > 1 else ""
    return f"{count(each, 'rank')} on {where}{total}"


def _written(launch: Launch) -> str:
    """The option by which a launcher is told its processes, as it is written."""
    for layer in filter(None, (launch.agent, launch.spread)):
        setting = layer.get("nproc", "processes", "tasks_per_node", "map_by", "tasks")
        if setting is not None and setting.value is not None:
            return f"{setting.spelling} {setting.shown}"
    return ""


def _meet(launch: Launch, context: Context) -> str:
    found = meeting(launch)
    if found.standalone:
        return "; they meet on this node (--standalone)"
    if found.host:
        return f"; they meet {_place(found)}"
    return "; where they meet is not said" if several_nodes(launch, context.shape) else ""


def _place(found: Meeting) -> str:
    """The host and the port, in words where it is known what they stand for."""
    port = found.port or ()
    if any(meaning(atom) == "job_id" for atom in atoms(port)):
        end = ", at a port from the job's id"
    else:
        end = f", at port {shown(port)}" if port else ""
    first = [meaning(atom) for atom in found.host or ()] == ["first_host"]
    return ("on the job's first node" if first else f"at {shown(found.host or ())}") + end
