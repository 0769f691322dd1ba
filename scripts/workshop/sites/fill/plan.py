"""Where a job can run at a site: kind of node, partition, cores, memory and time; or why it cannot."""

import re
from dataclasses import dataclass, field
from math import ceil

from workshop.jobs.dialect import dialect
from workshop.jobs.model import JobRequest
from workshop.sites import NodeKind, Partition, Site, scheduler_name, show_time


class CannotFill(ValueError):
    """The site cannot run this job as it stands; the message says why and what would work."""


@dataclass
class Needs:
    """What a job needs of each node. ``memory`` in bytes a node, ``time_s`` in seconds; None = not said.

    ``even_gpus``: False where the GPUs of the job are not the same number on each node, or their nodes are not known.
    """

    nodes: int = 1
    tasks: int = 1
    cpus: int = 1
    gpus: int = 0
    gpu_type: str | None = None
    memory: int | None = None
    time_s: int | None = None
    even_gpus: bool = True


@dataclass(frozen=True)
class Reason:
    """Why an option is changed, left out or added; ``nearest``: what there is in its place."""

    text: str
    nearest: str = ""


@dataclass
class Plan:
    """What fits: kind of node and partition (None = the site's file does not say), and changed amounts.

    ``raised_time`` is a new walltime in seconds where the site takes no shorter one, else None. ``cores_changed``:
    the site gives another number of cores than the script asks for. ``reasons``: option (of ``-l`` with the name of
    its resource: ``-l ncpus``) -> why it does not stay as it is. ``notes`` are told to the user.
    """

    needs: Needs
    node: NodeKind | None = None
    partition: Partition | None = None
    raised_time: int | None = None
    cores_changed: bool = False
    notes: list[str] = field(default_factory=list)
    reasons: dict[str, Reason] = field(default_factory=dict)

    def tell(self, text: str, *options: str, nearest: str = "") -> None:
        """A note for the user, and the reason for what becomes of some options."""
        self.notes.append(text)
        self.because(text, *options, nearest=nearest)

    def because(self, text: str, *options: str, nearest: str = "") -> None:
        """The reason for what becomes of some options; of several reasons all are kept."""
        for option in options:
            before = self.reasons.get(option)
            both = f"{before.text} {text}" if before and text not in before.text else text
            self.reasons[option] = Reason(both, nearest or (before.nearest if before else ""))

    @property
    def cpus_per_task(self) -> int:
        return max(1, ceil(self.needs.cpus / self.needs.tasks))


def needs_of(request: JobRequest) -> Needs:
    """Amounts for each node; LSF memory of unknown scope counts for each node, as in our own scripts."""
    nodes = request.nodes or 1
    tasks = request.tasks_per_node or ceil((request.tasks or nodes) / nodes)
    cpus = ceil(request.cpus_total / nodes) if request.cpus_total else tasks * (request.cpus_per_task or 1)
    gpus = request.gpus_per_node or ceil((request.gpus_total or 0) / nodes)
    even = request.nodes is not None and (request.gpus_total or 0) == gpus * nodes
    needs = Needs(nodes, tasks, cpus, gpus, request.gpu_type, None, request.time_s, even)
    if request.mem is not None and request.mem.value:
        needs.memory = _memory_per_node(request.mem.value, request.mem.scope, needs)
    return needs


def _memory_per_node(value: int, scope: str | None, needs: Needs) -> int:
    factors = {"per_cpu": needs.cpus, "per_gpu": needs.gpus or 1, "per_task": needs.tasks}
    return ceil(value / needs.nodes) if scope == "total" else value * factors.get(scope or "", 1)


def plan(request: JobRequest, site: Site) -> Plan:
    """Choose the first kind of node and the first partition of the site's file that fit the request.

    Raises:
        CannotFill: nothing fits; the message gives the reason and, where there is one, a request that would.
    """
    needs = needs_of(request)
    _check_time(needs, site)
    found = _first_fit(needs, site, request)
    _adjust_cores(found, site)
    _adjust_time(found, site)
    return found


def _check_time(needs: Needs, site: Site) -> None:
    longest = site.seconds("time.max")
    if longest and needs.time_s and needs.time_s > longest:
        asked = show_time(needs.time_s)
        raise CannotFill(
            f"{site.title} ends jobs after {show_time(longest)}; this one asks for {asked}. "
            "Ask for less and go on from a checkpoint in the next job."
        )


def _first_fit(needs: Needs, site: Site, request: JobRequest) -> Plan:
    reasons: list[str] = []
    for node in _with_own_constraint(_candidates(needs, site), request):
        reason = _misfit(node, needs, site) if node else None
        if reason is None:
            partition, reason = _partition_for(node, needs, site, request.partition)
        if reason is None:
            return _with_type_note(Plan(needs, node, partition), site)
        reasons.append(reason)
    raise CannotFill(" ".join(dict.fromkeys(reasons)))


def _candidates(needs: Needs, site: Site) -> list[NodeKind | None]:
    """Kinds of nodes to try, best first; [None] where the site's file lists none."""
    if not site.nodes:
        return [None]
    with_gpu = [node for node in site.nodes if _has_gpus(node, site)]
    without = [node for node in site.nodes if node not in with_gpu]
    if not needs.gpus:
        return [*without, *([] if without else with_gpu)]
    if not with_gpu:
        raise CannotFill(f"{site.title} has no nodes with GPUs; this job asks for {needs.gpus} a node.")
    wanted = (needs.gpu_type or "").lower()
    return sorted(with_gpu, key=lambda node: (node.gpu_type or "").lower() != wanted)


def _with_own_constraint(nodes: list[NodeKind | None], request: JobRequest) -> list[NodeKind | None]:
    """The kinds of nodes that the script's own constraint names first: two of them at once are no node."""
    own = re.split(r"[&|(),*\[\]]", request.constraint or "")
    return sorted(nodes, key=lambda node: node is None or node.constraint is None or node.constraint not in own)


def _has_gpus(node: NodeKind, site: Site) -> bool:
    """By its GPUs, or, where their number is not known, by a partition that is for GPU jobs."""
    return bool(node.gpus) or any(p.name == node.partition and p.use == "gpu" for p in site.partitions)


def _misfit(node: NodeKind, needs: Needs, site: Site) -> str | None:
    """Why a kind of node cannot hold the job, None where it can (or where the file does not say)."""
    if needs.gpus and node.gpus and needs.gpus > node.gpus:
        return _too_many_gpus(node, needs, site)
    if node.count and needs.nodes > node.count:
        return f"{site.title} has {node.count} nodes of the kind '{node.name}'; this job asks for {needs.nodes}."
    if node.cores and needs.cpus > node.cores:
        return f"Nodes '{node.name}' of {site.title} have {node.cores} cores; this job asks for {needs.cpus}."
    most = most_memory(node, site)
    if most and needs.memory and needs.memory > most:
        return f"Nodes '{node.name}' of {site.title} give a job at most {most // 2**20} MiB of memory."
    return None


def most_memory(node: NodeKind, site: Site) -> int | None:
    """Bytes that a job can get of one node: all of it, or where memory comes with the cores that of all its cores."""
    of_cores = (node.memory_per_core or 0) * (node.cores or 0)
    known = [node.memory, of_cores if site.get("memory.rule") == "with-cores" else None]
    return min((amount for amount in known if amount), default=None)


def _too_many_gpus(node: NodeKind, needs: Needs, site: Site) -> str:
    most = max(kind.gpus for kind in site.nodes)
    if most >= needs.gpus:  # of another kind, which has its own reason
        return f"Nodes '{node.name}' of {site.title} have {node.gpus} GPUs; this job asks for {needs.gpus}."
    total = needs.gpus * needs.nodes
    nodes = min(ceil(total / most), max(kind.count or total for kind in site.nodes if kind.gpus == most))
    fewer = f"{most} GPUs on each of {nodes} nodes" if nodes > 1 else f"{most} GPUs"
    advice = f"Ask for {fewer}, or choose another site."
    return f"No node of {site.title} has {needs.gpus} GPUs: the most is {most}. {advice}"


def _partition_for(
    node: NodeKind | None, needs: Needs, site: Site, own: str | None
) -> tuple[Partition | None, str | None]:
    """The script's own partition if it takes the job, else the first that does, or the reason why none does."""
    partitions = sorted(site.partitions, key=lambda partition: partition.name != own)
    if not partitions:
        return None, None
    if node and node.partition:
        partitions = [partition for partition in partitions if partition.name == node.partition]
    use = "gpu" if needs.gpus else "cpu"
    reasons = []
    for partition in partitions:
        reason = _partition_misfit(partition, needs, use, site)
        if reason is None:
            return partition, None
        reasons.append(reason)
    return None, " ".join(reasons)


def _partition_misfit(partition: Partition, needs: Needs, use: str, site: Site) -> str | None:
    word = dialect(site.scheduler).queue
    name = f"{site.title}'s {word} '{partition.name}'"
    if partition.use not in (use, "any"):
        return f"{name} is for {partition.use.upper()} jobs."
    if partition.max_nodes and needs.nodes > partition.max_nodes:
        return f"{name} takes at most {partition.max_nodes} nodes; this job asks for {needs.nodes}."
    if partition.min_nodes and needs.nodes < partition.min_nodes:
        return f"{name} takes at least {partition.min_nodes} nodes; this job asks for {needs.nodes}."
    if partition.max_time and needs.time_s and needs.time_s > partition.max_time:
        limit, asked = show_time(partition.max_time), show_time(needs.time_s)
        return f"{name} ends jobs after {limit}; this one asks for {asked}."
    return None


# How each scheduler asks for GPUs, as `Plan.reasons` names it.
GPU_OPTIONS = {
    "slurm": ("--gpus-per-node", "--gres", "--gpus", "--gpus-per-task", "--gpus-per-socket"),
    "pbs": ("-l ngpus",),
    "lsf": ("-gpu",),
}
TIME_OPTION = {"slurm": "--time", "pbs": "-l walltime", "lsf": "-W"}


def _with_type_note(found: Plan, site: Site) -> Plan:
    """The plan, with a word on the GPUs' type where the site has another one than the script wants."""
    wanted, node = found.needs.gpu_type, found.node
    if node and node.gpu_type and wanted and node.gpu_type != wanted:
        text = f"{site.title} has no fitting node with '{wanted}' GPUs: '{node.gpu_type}' is asked for instead."
        if node.gpu_type.lower() == wanted.lower():
            text = f"{site.title} spells the GPU type '{node.gpu_type}', not '{wanted}'."
        found.tell(text, *GPU_OPTIONS[dialect(site.scheduler).package])
    return found


def _adjust_cores(found: Plan, site: Site) -> None:
    """Cut cores to the GPUs' share; where memory comes with the cores, ask for enough of them."""
    node, needs = found.node, found.needs
    if node is None:
        return
    if site.scheduler == "slurm" and needs.gpus and node.cores_per_gpu and needs.cpus > node.cores_per_gpu * needs.gpus:
        share = node.cores_per_gpu * needs.gpus
        found.tell(
            f"{share} cores instead of {needs.cpus}: {site.title} gives {node.cores_per_gpu} for each GPU.",
            "--cpus-per-task",
        )
        needs.cpus, found.cores_changed = share, True
    if site.get("memory.rule") == "with-cores" and node.memory_per_core and needs.memory:
        enough = ceil(needs.memory / node.memory_per_core)
        if enough > needs.cpus:
            text = f"{enough} cores instead of {needs.cpus}: memory comes with the cores at {site.title}."
            found.tell(text, "--cpus-per-task")
            needs.cpus, found.cores_changed = enough, True
    if needs.gpus and node.memory_per_gpu and needs.memory and needs.memory > node.memory_per_gpu * needs.gpus:
        needs.memory = node.memory_per_gpu * needs.gpus
        found.tell(f"Memory cut to {needs.memory // 2**30} GiB a node, the share of its GPUs.", "--mem")


def _adjust_time(found: Plan, site: Site) -> None:
    shortest = max(site.seconds("time.min") or 0, (found.partition.min_time if found.partition else 0) or 0)
    if found.needs.time_s and found.needs.time_s < shortest:
        found.needs.time_s = found.raised_time = shortest
        text = f"Walltime raised to {show_time(shortest)}, the shortest that {site.title} takes."
        found.tell(text, TIME_OPTION[dialect(site.scheduler).package])
    advised = site.seconds("time.advised_min")
    if advised and found.needs.time_s and found.needs.time_s < advised:
        found.notes.append(f"{site.title} wants {show_time(advised)} or more of every job that is not a test.")
    if found.needs.time_s is None and site.get("time.required"):
        found.notes.append(f"{site.title} requires a walltime and the script asks for none: add one.")


def check_scheduler(scheduler: str, site: Site) -> None:
    """Refuse a script of another scheduler than the site's.

    Raises:
        CannotFill: with the command that translates the script first, where there is one.
    """
    if scheduler != site.scheduler:
        advice = f"Translate it first: workshop translate FILE --to {site.scheduler}"
        if not dialect(site.scheduler).target:
            advice = "The course writes none for Torque: see the section on it in book/pbs.md."
        raise CannotFill(
            f"{site.title} runs {scheduler_name(site.scheduler)}, and this is a script for "
            f"{scheduler_name(scheduler)}. {advice}"
        )
