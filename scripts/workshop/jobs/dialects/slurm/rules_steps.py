"""Slurm: rules on steps side by side, and on where tasks lie."""

from __future__ import annotations

import re
from collections.abc import Iterator

from workshop.jobs.dialects.slurm.options import IN_NODES
from workshop.jobs.launch import Launch, Shape
from workshop.jobs.launch.meanings import number
from workshop.jobs.launch.model import Layer
from workshop.jobs.launch.processes import processes_per_node, spread
from workshop.jobs.launch.questions import GPU_FIELDS, by_turns, gpus_on_node, is_helper
from workshop.jobs.launch.started import cores_of_node
from workshop.jobs.model import SITE, WRONG, Finding
from workshop.jobs.parts import sources
from workshop.jobs.parts.units import show_memory, slurm_memory
from workshop.jobs.parts.values import TASK, Word, atoms
from workshop.jobs.rules.base import Context
from workshop.jobs.rules.rule import rule

# Before it steps shared their cores without being asked.
EXCLUSIVE_STEPS = "20.11"
# Options by which a step takes no more cores than it names, or says itself what it shares.
A_SHARE = ("exact", "exclusive", "cpus_per_task", "cpus_per_gpu", "oversubscribe")
SET_OUTSIDE = ("SLURM_OVERLAP", "SLURM_EXACT", "SLURM_EXCLUSIVE", "SRUN_CPUS_PER_TASK")
# Commands that may end a step in the background.
ENDING = ("wait", "kill", "pkill", "killall", "scancel", "trap", "eval", "exec")


@rule("steps_wait_for_each_other", verdict=WRONG, severity="warning", source=sources.SRUN)
def steps_wait(context: Context) -> Iterator[Finding]:
    """A step beside others holds the cores, the GPUs or the memory of its nodes, and the next one waits for it."""
    version = context.profile.slurm_version
    if context.heterogeneous or not context.shape.nodes or (version and version < EXCLUSIVE_STEPS):
        return
    if context.reading.broken or any(context.reading.set(name) for name in SET_OUTSIDE):
        return
    steps = _steps(context)
    crowded = next(filter(None, (_too_many_at_once(context, step) for step in steps)), None)
    if crowded is not None:
        yield crowded
        return
    for index, first in enumerate(steps):
        if not _behind_itself(context, first) or first.marks.conditional or by_turns(first):
            continue
        # In a loop the next one may be the line's own next turn.
        following = [*steps[index + 1 :], first] if _its_own_next(context, first) else steps[index + 1 :]
        for later in following:
            if later is not first and _ended_between(context, first, later):
                break
            held = _held(context, first, later) if _meet(first, later, context.shape) else ""
            if held:
                yield _finding(context, first, later, held)
                return


def _steps(context: Context) -> list[Launch]:
    """The steps in the order of their lines, as far as that is the order in which they start."""
    found: dict[int, Launch] = {}
    for launch in context.certain:
        layer, start = launch.spread, launch.command.start
        if layer is None or layer.name != "srun" or start is None or launch.open:
            continue
        if launch.marks.function or launch.marks.handler or layer.has("overlap", "jobid", "het_group"):
            continue
        if launch.name == "nvidia-cuda-mps-control":
            continue  # its -d is a background of its own
        found.setdefault(start, launch)
    return [found[start] for start in sorted(found)]


# The & of the line itself, perhaps behind a pipe, and not that of a (…) or {…} around several lines.
OWN_AND = re.compile(r"(?:[^\n;&(){}]|\\\n|[<>]&|&>)*&(?![&>])")


def _behind_itself(context: Context, step: Launch) -> bool:
    """True for a step whose own line ends with ``&``."""
    end = step.command.end
    return step.background and end is not None and OWN_AND.match(context.reading.text, end) is not None


def _its_own_next(context: Context, first: Launch) -> bool:
    """True in a loop in which nothing waits, in a job of one node."""
    waits = any(command.marks.repeated for command in context.reading.named(*ENDING))
    return first.marks.repeated and context.shape.nodes == 1 and not waits


def _ended_between(context: Context, first: Launch, later: Launch) -> bool:
    begin, end = first.command.start, later.command.start
    between = [one for one in context.reading.commands if begin < (one.start or 0) < end]
    return any(one.name in ENDING or any("--pid" in word.shown for word in one.arguments) for one in between)


def _meet(first: Launch, later: Launch, shape: Shape) -> bool:
    """True where both steps certainly have a node in common."""
    if any(step.marks.repeated and step.spread.has("hosts") for step in (first, later)):
        return False  # a loop over the other nodes, of which there may be none
    if shape.nodes == 1 or shape.nodes in (spread(first, shape).nodes, spread(later, shape).nodes):
        return True
    hosts = [step.spread.get("hosts") for step in (first, later)]
    if None in hosts or first.marks.repeated or later.marks.repeated:
        return False
    return hosts[0].shown == hosts[1].shown != ""


def _held(context: Context, first: Launch, later: Launch) -> str:
    """What the first step leaves too little of; "" where there may be enough for both."""
    gpus, extra = context.shape.gpus_per_node, context.request.extra
    if gpus and not extra.gpus_per_task and not extra.tasks_per_gpu:
        one, other = gpus_on_node(first, context.shape), gpus_on_node(later, context.shape)
        if one and other and one + other > gpus:
            everything = {1: "the GPU", 2: "both GPUs"}.get(gpus, f"all {gpus} GPUs")
            return everything if one == gpus else f"{one} of the {gpus} GPUs"
    return "all cores" if _takes_all_cores(context, first) else _memory_held(context, first, later)


def _memory_held(context: Context, first: Launch, later: Launch) -> str:
    """The memory of a node that the first step takes so much of that the second one does not fit beside it."""
    there, one, other = _memory_of_node(context), _memory_of_step(first), _memory_of_step(later)
    if there is None or one is None or other is None or one + other <= there:
        return ""
    return f"{show_memory(one)} of the {show_memory(there)} of memory"


def _memory_of_node(context: Context) -> int | None:
    """Bytes of the job on each node, where the header says so; a whole node's are not known."""
    request = context.request
    memory, whole = request.mem, request.exclusive
    if memory is None or not memory.value or whole:
        return None
    if memory.scope == "per_cpu" and request.nodes == 1 and request.cpus_total:
        return memory.value * request.cpus_total
    return memory.value if memory.scope == "per_node" else None


def _memory_of_step(step: Launch) -> int | None:
    setting = step.spread.get("mem")
    return slurm_memory(setting.text) if setting is not None and setting.text else None


def _too_many_at_once(context: Context, step: Launch) -> Finding | None:
    """GNU parallel starts more steps at once than the job has cores, or its node memory, for."""
    jobs, request = _at_once(step, context.shape), context.request
    found = spread(step, context.shape)
    if jobs is None or request.exclusive or not request.tasks or found.tasks is None:
        return None
    there, memory = request.cpus_total, _memory_of_step(step)
    each = found.tasks * (found.cpus_per_task or 1)
    room, what = (there // each, f"{each} of the job's {there} cores") if there else (jobs, "")
    of_node = _memory_of_node(context) if request.nodes == 1 else None
    if memory and of_node and of_node // memory < room:
        room, what = of_node // memory, f"{show_memory(memory)} of the job's {show_memory(of_node)} of memory"
    if not 0 < room < jobs:
        return None
    return Finding(
        "steps_wait_for_each_other",
        "warning",
        step.line,
        f"parallel starts {jobs} steps at once, and each takes {what}: {room} of them run{'s' * (room == 1)}, and the "
        "others wait.",
        f"-j {room} for parallel, fewer for each srun, or more in the header",
    )


def _at_once(step: Launch, shape: Shape) -> int | None:
    """How many steps GNU parallel is told to run at the same time; no more than it has arguments."""
    layer = next((layer for layer in step.layers if layer.name == "parallel"), None)
    told = [one for one in layer.settings if one.spelling in ("-j", "--jobs", "-P")] if layer else []
    jobs = number(told[-1].value, shape) if told else None
    words = [word.text for word in step.program]
    if jobs is None or ":::" not in words:
        return jobs
    given = words[words.index(":::") + 1 :]
    listed = all(word and not re.search(r"[*?\[{:]", word) for word in given)
    return min(jobs, len(given)) if listed else jobs


def _takes_all_cores(context: Context, step: Launch) -> bool:
    if step.spread.has(*A_SHARE):
        return False
    if not context.given("--cpus-per-task", "--cpus-per-gpu", "--tres-per-task"):
        return True
    # From 23.11 on a step takes over the job's number, and with it no more than its own tasks' share.
    job, own = context.shape, spread(step, context.shape).per_node
    each = job.tasks_per_node or (-(-job.tasks // job.nodes) if job.tasks else None)
    return own is not None and each is not None and own >= each


def _finding(context: Context, first: Launch, later: Launch, held: str) -> Finding:
    tasks = context.shape.tasks or 1
    many = not later.spread.has("tasks", "nodes", "tasks_per_node", "multi_prog") and tasks > 1
    return Finding(
        "steps_wait_for_each_other",
        "warning",
        later.line,
        (
            f"Each turn of the loop holds {held} of the node, and the next turn's srun waits"
            if later is first
            else f"The srun of line {first.line} is in the background and holds {held} of its node, and this one waits"
        )
        + " until it has ended: they run one after the other"
        + (f", each with all {tasks} tasks of the job." if many else "."),
        _advice(first, later, held),
    )


def _advice(first: Launch, later: Launch, held: str) -> str:
    rest = "--ntasks, --cpus-per-task and a share of the memory; --overlap for one that only watches"
    if "memory" in held:
        return "--mem of both together no more than the header's, or more memory in the header"
    if "GPU" not in held:
        return f"--exact for each, with {rest}"
    if first.spread.has(*GPU_FIELDS) and later.spread.has(*GPU_FIELDS):
        return "as many GPUs in the header as the steps take together, or fewer for each step (with its --ntasks)"
    return f"--gpus-per-node or --gres, the header's word, for each, with {rest}"


# What asks for cores, or brings them along.
CORES = (
    "--cpus-per-task", "--cpus-per-gpu", "--mincpus", "--tres-per-task", "--cores-per-socket", "--extra-node-info",
    "--sockets-per-node",
)  # fmt: skip


@rule("processes_share_a_core", severity="note", source=sources.SBATCH)
def processes_share_a_core(context: Context) -> Iterator[Finding]:
    """An agent starts several processes on a node, and nothing asks for cores."""
    request, shape = context.request, context.shape
    if context.heterogeneous or request.exclusive or context.profile.whole_nodes or context.given(*CORES):
        return
    if context.script.seen.submission or not context.script.directives or request.extra.tasks_per_gpu:
        return
    cores = cores_of_node(shape)
    for launch in context.certain:
        if launch.agent is None or launch.open or (launch.on_nodes and launch.spread.has("cpus_per_task")):
            continue
        if (spread(launch, shape).per_node or 1) > 1:
            continue  # agents one upon the other: a fault of its own
        each = processes_per_node(launch, shape)
        if not cores or not each or each < 2 * cores:
            continue
        yield Finding(
            "processes_share_a_core",
            "note",
            launch.line,
            f"No line asks for cores: unless the site gives them with the GPUs, Slurm gives each task one, and the "
            f"{each} processes of a node share {cores}, with all workers that load their data.",
            f"--cpus-per-task={each}, or a multiple of it, with --ntasks-per-node=1",
        )
        return


GPUS_OF_A_STEP = ("gpus", "gpus_per_node", "gpus_per_task", "gres")


@rule("srun_asks_more_gpus_than_allocated", verdict=WRONG, source=sources.SRUN)
def srun_asks_more_gpus(context: Context) -> Iterator[Finding]:
    """A step asks for GPUs, or for more of them on a node than the job has there."""
    request, shape = context.request, context.shape
    if context.heterogeneous or request.exclusive or context.profile.whole_nodes or shape.gpus_per_node is None:
        return
    if not context.script.directives or request.extra.gpus_per_task or not context.given(*IN_NODES):
        return  # a header that asks for nodes and nothing in them is for a site that gives them whole
    for step in _steps(context):
        if step.marks.by == TASK and step.layers[0] is not step.spread:
            continue
        wanted = gpus_on_node(step, shape) if step.spread.has(*GPUS_OF_A_STEP) else None
        if not wanted or wanted <= shape.gpus_per_node:
            continue
        has = f"has {shape.gpus_per_node} on a node" if shape.gpus_per_node else "asks for none"
        given = next(step.spread.get(name) for name in GPUS_OF_A_STEP if step.spread.has(name))
        yield Finding(
            "srun_asks_more_gpus_than_allocated",
            "warning",
            step.line,
            f"srun asks for {wanted} GPU{'s' if wanted > 1 else ''} on a node, and the job {has}: a step gets no more "
            "than the job has, and srun refuses it (Invalid generic resource (gres) specification).",
            f"#SBATCH --gpus-per-node={wanted}, in the place of srun's {given.spelling}"
            if not shape.gpus_per_node
            else f"#SBATCH --gpus-per-node={wanted}, or {shape.gpus_per_node} for srun",
        )
        return


# Programs of one process, which use the cores of the node that they run on.
ONE_PROCESS = {
    "STAR", "blastn", "blastp", "blastx", "bowtie2", "bwa", "fastp", "fastqc", "hisat2", "julia", "make", "matlab",
    "minimap2", "ninja", "parallel", "Rscript", "samtools", "salmon", "spades.py",
}  # fmt: skip
THREADS = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS")
# In a remark or in what is only printed these words start nothing.
STARTS_TASKS = re.compile(
    r"^(?!\s*(?:#|echo\b|printf\b))"
    r".*(?:\b(?:srun|mpirun|mpiexec|prun|prterun|ibrun|aprun|scontrol)\b|SLURM_\w*NODELIST)",
    re.MULTILINE,
)


@rule("tasks_may_spread_over_nodes", verdict=WRONG, severity="warning", source=sources.SBATCH)
def tasks_may_spread(context: Context) -> Iterator[Finding]:
    """Tasks that a single program takes for its cores, and that may lie on several nodes."""
    request = context.request
    line, tasks = context.line("--ntasks"), request.tasks or 1
    if context.heterogeneous or line is None or tasks < 2 or request.nodes is not None or context.reading.broken:
        return
    if context.given("--nodelist", "--nodefile", "--ntasks-per-node", "--switches", "--contiguous"):
        return
    if any(launch.on_nodes for launch in context.launches) or STARTS_TASKS.search(context.reading.text):
        return
    program = _takes_tasks_for_cores(context)
    if program:
        yield Finding(
            "tasks_may_spread_over_nodes",
            "warning",
            line,
            f"Nothing keeps the {tasks} tasks on one node, and {program} uses the cores of the first node only: there "
            f"it may start {tasks} workers on fewer cores.",
            f"--nodes=1, or --ntasks=1 with --cpus-per-task={tasks}",
        )


def _takes_tasks_for_cores(context: Context) -> str:
    """The program that is told the number of tasks as its own number of workers; "" where there is none."""
    for name in THREADS:
        if any(_says_tasks(one.value) and not one.marks.uncalled for one in context.reading.set(name)):
            return f"a program with {name}"
    for command in context.reading.commands:
        if command.name in ONE_PROCESS and not command.marks.uncalled and any(map(_word_says, command.arguments)):
            return command.name
    return ""


def _word_says(word: Word) -> bool:
    return _says_tasks(word.atoms)


def _says_tasks(value: tuple) -> bool:
    return any(atom.text == "SLURM_NTASKS" for atom in atoms(value))


# Options of a header that say themselves how the tasks lie on the nodes.
PLACING = ("--ntasks-per-node", "--ntasks-per-gpu", "--ntasks-per-socket", "--distribution", "--spread-job")


@rule("tasks_may_lie_unevenly", severity="note", note_verdict=SITE, source=sources.SBATCH)
def tasks_may_lie_unevenly(context: Context) -> Iterator[Finding]:
    """As many tasks as GPUs on several nodes, and nothing says that each node gets its own share of them."""
    request, shape = context.request, context.shape
    nodes, tasks, gpus = request.nodes or 0, request.tasks or 0, request.gpus_per_node or 0
    if context.heterogeneous or nodes < 2 or not gpus or tasks != nodes * gpus or tasks == nodes:
        return
    if request.exclusive or context.profile.whole_nodes or not context.given("--ntasks") or context.given(*PLACING):
        return
    for launch in context.certain:
        layer, found = launch.spread, spread(launch, shape)
        if layer is None or layer.name not in ("srun", "openmpi", "hydra") or launch.open or launch.agent is not None:
            continue
        if found.tasks != tasks or is_helper(launch) or _says_where(layer):
            continue
        first = tasks - nodes + 1
        yield Finding(
            "tasks_may_lie_unevenly",
            "note",
            context.line("--ntasks"),
            f"Nothing says how many of the {tasks} tasks each node gets. Where jobs share nodes, Slurm fills the first "
            f"one: up to {first} tasks there, for {gpus} GPUs, and one on the last node.",
            f"--ntasks-per-node={gpus}",
        )
        return


def _says_where(layer: Layer) -> bool:
    """True where the launcher is told itself how to lay out the tasks."""
    return layer.has("tasks_per_node", "one_per_node", "map_by", "hosts", "hostfile", "distribution", "tasks_per_gpu")
