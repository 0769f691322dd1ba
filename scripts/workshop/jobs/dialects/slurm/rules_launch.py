"""Slurm: rules on steps: what srun is asked for, ranks that are put in too early, signals, environment."""

from __future__ import annotations

import re
import signal
from collections.abc import Iterator

from workshop.jobs.dialects.slurm.options import IN_NODES
from workshop.jobs.launch import Launch
from workshop.jobs.launch.meanings import number
from workshop.jobs.launch.processes import STATIC, meeting, spread
from workshop.jobs.launch.questions import (
    TORCH,
    called,
    early_ranks,
    is_helper,
    is_wrapper,
    most_tasks,
    on_other_devices,
)
from workshop.jobs.model import VERSION, WRONG, Finding, JobRequest
from workshop.jobs.parts import sources
from workshop.jobs.parts.directives import new_line
from workshop.jobs.parts.reading import Command
from workshop.jobs.parts.values import TASK, Atom, atoms, constant
from workshop.jobs.profile import Profile
from workshop.jobs.rules.base import Context
from workshop.jobs.rules.rule import rule


def _steps(context: Context) -> list[Launch]:
    """The launches by srun; one for each line, the first program of it."""
    found: dict[int, Launch] = {}
    for launch in context.launches:
        if launch.spread is not None and launch.spread.name == "srun":
            found.setdefault(launch.spread.program.start or launch.line, launch)
    return list(found.values())


@rule("gpus_more_than_tasks", source=sources.SBATCH)
def gpus_more_than_tasks(context: Context) -> Iterator[Finding]:
    """More GPUs than tasks, with one GPU a process: some stay idle."""
    request = context.request
    if context.heterogeneous or not request.gpus_total or not request.tasks or request.gpus_total <= request.tasks:
        return
    if any(launch.agent for launch in context.launches):
        return
    steps = [one for one in _steps(context) if not is_helper(one)]
    step = next((one for one in steps if one.is_python or _takes_one_gpu(one)), None)
    if step is None or step.spread.has("tasks", "tasks_per_node", "tasks_per_gpu") or _uses_several(step):
        return
    asked = context.given("--ntasks", "--ntasks-per-node")
    yield Finding(
        "gpus_more_than_tasks",
        "warning" if asked else "note",
        step.line,
        f"{request.gpus_total} GPUs, but {request.tasks} task{'s' if request.tasks > 1 else ''}: with one GPU a "
        "process, the others stay idle.",
        _as_many(request),
    )


def _as_many(request: JobRequest) -> str:
    """As many tasks as GPUs, or as many GPUs as tasks."""
    tasks = f"--ntasks-per-node={request.gpus_per_node}" if request.gpus_per_node else f"--ntasks={request.gpus_total}"
    return f"{tasks}, or {request.tasks} GPU{'s' if request.tasks > 1 else ''} in all"


# A program that is told itself how many GPUs it is to use.
NUMBER_OF_GPUS = re.compile(r"(?:--?|\+{0,2})[\w.-]*(?:gpu|device)[\w.-]*(?:=(?P<value>.*))?", re.IGNORECASE)
SEVERAL = re.compile(r"[2-9]|[1-9]\d+|-1|all|auto|\d+(?:,\d+)+|\[\d+(?:,\s*\d+)+\]")


def _uses_several(launch: Launch) -> bool:
    """True for a program that works with several GPUs in one process, by what is known of its words."""
    if on_other_devices(launch):
        return True
    words = [word.shown for word in launch.program[1:]]
    for word, following in zip(words, [*words[1:], ""], strict=False):
        match = NUMBER_OF_GPUS.fullmatch(word)
        value = match and (following if match["value"] is None else match["value"])
        if value and (SEVERAL.fullmatch(value) or "$" in value):
            return True
    return False


def _takes_one_gpu(launch: Launch) -> bool:
    """True for ``CUDA_VISIBLE_DEVICES=$SLURM_LOCALID``, which each task sets for itself."""
    value = launch.environment.value("CUDA_VISIBLE_DEVICES") or ()
    return any(atom.text == "SLURM_LOCALID" and atom.by == TASK for atom in atoms(value))


@rule("srun_asks_more_tasks_than_allocated", verdict=WRONG, source=sources.SRUN)
def srun_asks_too_much(context: Context) -> Iterator[Finding]:
    """srun asks for more tasks, or for more CPUs, than the job has."""
    request = context.request
    if context.heterogeneous or not request.tasks or request.exclusive:
        return
    if not context.script.directives:
        return  # its size is given at submission, or srun asks for nodes of its own
    cpus, whole = _cpus_granted(context), context.profile.whole_nodes
    if cpus is None:
        return
    for launch in _steps(context):
        step, tasks = launch.spread, most_tasks(launch, context.shape)
        if tasks is None or launch.open or step.has("overcommit"):
            continue
        setting = step.get("cpus_per_task")
        each = number(setting.value, context.shape) if setting else 1
        needed = tasks * (each or 1)
        if (whole and needed <= cpus) or (tasks <= request.tasks and (setting is None or needed <= cpus)):
            continue
        yield _asks_too_much(context, launch, (tasks, each or 1), cpus)
        return


def _cpus_granted(context: Context) -> int | None:
    """The CPUs of the job: those it asks for, or at a site with whole nodes all that they have; None = not known."""
    request, site = context.request, context.profile
    asked = request.cpus_total or request.tasks
    if not site.whole_nodes:
        return asked
    cores = site.cpus_per_node or max((node.cores or 0 for node in site.nodes), default=0)
    return max(asked, cores * request.nodes) if cores and request.nodes else None


def _asks_too_much(context: Context, launch: Launch, step: tuple[int, int], cpus: int) -> Finding:
    (tasks, each), job = step, context.request
    wanted = f"{tasks} task{'s' if tasks > 1 else ''}" + (f" with {each} CPUs each" if each > 1 else "")
    refused = tasks * each > cpus
    # A header that asks for nodes and nothing in them is for a site that gives them whole.
    expected = not context.profile.whole_nodes and not context.given(*IN_NODES)
    return Finding(
        "srun_asks_more_tasks_than_allocated",
        "warning" if refused and not expected else "note",
        launch.line,
        f"srun wants {wanted} in a job of {job.tasks} task{'s' if job.tasks > 1 else ''} and {cpus} "
        f"CPU{'s' if cpus > 1 else ''}: "
        + (
            ("" if context.profile.whole_nodes else "unless nodes are given whole, ")
            + _of_a_step_too_large(context.profile)
            if refused
            else "it works only as long as CPUs are left."
        ),
        _room_for(context, tasks, each),
    )


def _room_for(context: Context, tasks: int, each: int) -> str:
    """The directives with which the step fits; none of them says less than the header does."""
    wanted = []
    if tasks > context.request.tasks:
        wanted.append(f"#SBATCH --ntasks={tasks}")
    if each > (context.request.cpus_per_task or 1):
        wanted.append(f"#SBATCH --cpus-per-task={each}")
    return " and ".join(wanted) or f"#SBATCH --ntasks={tasks}"


def _of_a_step_too_large(site: Profile) -> str:
    """What becomes of it: tests/sessions/jobs_in_depth_srun_cores.t and jobs_in_depth_srun_cores_newer.t."""
    refused, waits = (
        "srun refuses the step (More processors requested than permitted)",
        "the step waits until the walltime",
    )
    if site.has_slurm("24.11"):
        return f"{waits}, without a word."
    return f"{refused}." if site.slurm_version else f"{refused}; in Slurm 24.11 {waits}."


# Names by which frameworks know a number of the process or the node.
RANKS = ("NODE_ID", "RANK_ID")


def _is_rank(name: str) -> bool:
    return name in RANKS or name.upper().endswith("RANK")


def _many(context: Context) -> list[Launch]:
    """The launches of several tasks."""
    several = context.shape.tasks != 1 or context.heterogeneous
    launches = [launch for launch in context.launches if launch.spread and launch.spread.name not in ("ssh", "pdsh")]
    return [launch for launch in launches if several and spread(launch, context.shape).tasks != 1]


@rule("rank_set_outside_srun", verdict=WRONG, severity="warning", source=sources.SRUN)
def rank_set_outside_srun(context: Context) -> Iterator[Finding]:
    """SLURM_PROCID and its sisters, expanded by the batch shell, where all of them are 0."""
    for launch in _many(context):
        found = next((atom for atom in _early(launch) if not atom.via or _is_rank(atom.via[0])), None)
        if found is not None:
            what = f"{found.via[0]}=${found.text}" if found.via else f"${found.text}"
            line = context.line_of(found.start) or launch.line
            yield _rank("rank_set_outside_srun", line, what, launch, found.text)
            return
        for name, held in launch.environment.variables.items():
            values = [atom for atom in held.value if atom.by != "task"] if _is_rank(name) else []
            found = next((atom for atom in values if atom.kind == "variable" and atom.text in EARLY), None)
            if found is not None and held.exported:
                line = context.line_of(found.start) or launch.line
                yield _rank("rank_set_outside_srun", line, f"{name}=${found.text}", launch, found.text)
                return


EARLY = ("SLURM_PROCID", "SLURM_NODEID", "SLURM_LOCALID")


def _early(launch: Launch) -> list[Atom]:
    """Without the node's number where the rendezvous hands it out: torchrun uses --node_rank only with 'static'."""
    found = meeting(launch)
    unused = atoms(found.node_rank or ()) if found.backend not in STATIC else []
    return [atom for word in launch.words for atom in early_ranks(word) if atom not in unused]


@rule("rank_expanded_in_launcher_string", verdict=WRONG, severity="warning", source=sources.SRUN)
def rank_in_string(context: Context) -> Iterator[Finding]:
    """The same by a detour: through a string, an array or a here-document."""
    for launch in _many(context):
        found = next((atom for atom in _early(launch) if atom.via and not _is_rank(atom.via[0])), None)
        if found is not None:
            way = f"${found.text} in {'the here-document' if found.via[0] == 'here-document' else found.via[0]}"
            line = context.line_of(found.start) or launch.line
            yield _rank("rank_expanded_in_launcher_string", line, way, launch, found.text)
            return


def _rank(name: str, line: int, what: str, launch: Launch, variable: str) -> Finding:
    return Finding(
        name,
        "warning",
        line,
        f"{what} is expanded by the batch shell, where it is 0: every task gets rank 0, and all but one fail with "
        "EADDRINUSE or wait forever.",
        _in_the_task(launch, variable),
    )


def _in_the_task(launch: Launch, variable: str) -> str:
    """How each task gets its own number: an agent's option in a shell of the task, or from the rendezvous."""
    agent = launch.agent
    if agent is None:
        return (
            "set it inside the task: srun bash -c 'RANK=$SLURM_PROCID LOCAL_RANK=$SLURM_LOCALID exec python train.py', "
            "or read SLURM_PROCID in the program"
        )
    rank = agent.get("node_rank")
    spelling = rank.spelling if rank else "--machine_rank" if agent.name == "accelerate" else "--node_rank"
    own = f"evaluate it in the task: srun bash -c '{called(agent)} … {spelling} ${variable} …' in single quotes"
    if agent.name not in TORCH:
        return own
    backend = "--rdzv_backend c10d" if agent.name == "accelerate" else "--rdzv-backend=c10d with --rdzv-endpoint"
    return f"{own}, or {backend}, which hands the numbers out"


UNSET = re.compile(r"^[^#\n]*\bunset\b[^\n]*\bSLURM_EXPORT_ENV\b", re.MULTILINE)


@rule("export_none_reaches_srun", severity="warning", source=sources.SBATCH)
def export_none(context: Context) -> Iterator[Finding]:
    """--export=NONE reaches the tasks of srun as well."""
    steps = _steps(context)
    if (context.request.export or "").upper() != "NONE" or all(step.spread.has("export") for step in steps):
        return
    if UNSET.search(context.reading.text) or context.reading.set("SLURM_EXPORT_ENV"):
        return
    yield Finding(
        "export_none_reaches_srun",
        "warning",
        context.line("--export"),
        "--export=NONE is inherited by srun: what module and activate put into the environment does not reach the "
        "tasks.",
        f"{context.exported('SLURM_EXPORT_ENV', 'ALL')} in the script, or srun --export=ALL",
    )


THREADS = re.compile(r"SLURM_CPUS_PER_TASK|OMP_NUM_THREADS|MKL_NUM_THREADS")


@rule("srun_needs_cpus_per_task_22_05_to_23_02", verdict=VERSION, source=sources.SRUN)
def srun_needs_cpus_per_task(context: Context) -> Iterator[Finding]:
    """From 22.05 to 23.02 srun does not take --cpus-per-task over from the job."""
    if context.heterogeneous or not context.given("--cpus-per-task") or context.request.cpus_per_task == 1:
        return
    version = context.profile.slurm_version
    if version and not ("22.05" <= version < "23.11"):
        return
    if context.reading.set("SRUN_CPUS_PER_TASK"):
        return
    steps = [launch for launch in _steps(context) if not launch.open and not launch.spread.has("cpus_per_task")]
    bare = next((launch for launch in steps if not is_helper(launch)), None)
    if bare is None:
        return
    yield Finding(
        "srun_needs_cpus_per_task_22_05_to_23_02",
        "warning" if version else "note",
        bare.line,
        "In Slurm 22.05 to 23.02 srun does not take --cpus-per-task over from the job: its tasks get one CPU each, "
        "while SLURM_CPUS_PER_TASK still says more.",
        _handed_on(context),
        verdict=VERSION if THREADS.search(context.reading.text) else None,
    )


def _handed_on(context: Context) -> str:
    """The variable that hands the job's cores on to every srun; it does no harm in any version."""
    text = context.exported("SRUN_CPUS_PER_TASK", "$SLURM_CPUS_PER_TASK")
    return text if context.script.seen.generated else new_line(context.script.body_line, text)


def _signal_name(word: str) -> str:
    """``SIGUSR1``, ``usr1`` and ``10`` are USR1."""
    if word.isdigit():
        return next((s.name.removeprefix("SIG") for s in signal.Signals if s.value == int(word)), word)
    return word.upper().removeprefix("SIG")


@rule("signal_goes_to_shell_without_trap", verdict=WRONG, severity="warning")
def signal_without_trap(context: Context) -> Iterator[Finding]:
    """--signal=B: reaches bash only; without a trap bash dies, and a foreground program delays the trap."""
    asked = context.request.signal
    if asked is None or asked.target != "batch_shell":
        return
    traps = [command for command in context.reading.named("trap") if asked.name in _trapped(command)]
    if not traps and not _replaced(context):
        yield Finding(
            "signal_goes_to_shell_without_trap",
            "warning",
            context.line("--signal"),
            f"'B:' sends {asked.name} to the batch shell only, and there is no trap: bash dies, and the program never "
            "hears of it.",
            _trap_fix(asked.name),
            sources.SBATCH,
        )
    if not traps or any(command.line > traps[0].line for command in context.reading.named("wait")):
        return
    work = next((launch for launch in context.launches if _keeps_waiting(launch, traps[0])), None)
    if work:
        yield Finding(
            "signal_goes_to_shell_without_trap",
            "warning",
            work.line,
            "bash runs the trap only after the program in the foreground has ended, which is too late.",
            _trap_fix(asked.name),
            sources.BASH,
        )


def _trapped(trap: Command) -> set[str]:
    """The signals of a trap."""
    return {_signal_name(word.text or "") for word in trap.words[2:]}


def _replaced(context: Context) -> bool:
    """True where the program takes the shell's place and hears the signal itself."""
    return any(command.name == "exec" and len(command.words) > 1 for command in context.reading.commands)


def _keeps_waiting(launch: Launch, trap: Command) -> bool:
    """True for a program in the foreground below the trap."""
    if launch.command.line <= trap.line or launch.command.marks.background or launch.marks.handler:
        return False
    return launch.is_python or (launch.spread is not None and launch.spread.name == "srun")


def _trap_fix(name: str) -> str:
    return f"trap '…' {name} and 'srun python … & wait', or --signal={name}@120 without B: and srun python"


# Commands that may start steps of a job without saying so.
MAY_START = {"parallel", "xargs", "snakemake", "nextflow", "make", "ray", "flux", "charmrun", "salloc", "sbatch"}


@rule("signal_reaches_nobody", verdict=WRONG, severity="warning", source=sources.SBATCH)
def signal_reaches_nobody(context: Context) -> Iterator[Finding]:
    """--signal without B: goes to steps, and there is none."""
    asked = context.request.signal
    if asked is None or asked.target != "steps" or context.heterogeneous:
        return
    alone = next((launch for launch in context.launches if launch.is_training and not launch.on_nodes), None)
    if alone is None or _may_start_steps(context):
        return
    name = _signal_name(asked.name)
    yield Finding(
        "signal_reaches_nobody",
        "warning",
        context.line("--signal"),
        f"{name} goes to the steps of the job, which srun starts, and there is none: what the batch shell runs itself "
        "gets only TERM at the time limit.",
        f"srun {called(alone.agent) if alone.agent else 'python'} …, or --signal=B:{name}@{asked.before_s} with a trap",
    )


def _may_start_steps(context: Context) -> bool:
    if any(launch.on_nodes or is_wrapper(launch) for launch in context.launches):
        return True
    return any(_may_be_step(command) for command in context.reading.commands)


def _may_be_step(command: Command) -> bool:
    """True for a program of unknown content."""
    if not command.words or command.calls or command.marks.substituted:
        return False
    name = command.words[0].text
    if name is None or command.name in MAY_START:
        return True
    return name.endswith(".sh") or ("/" in name and not name.startswith(("/usr/", "/bin/")) and not _is_python(name))


def _is_python(name: str) -> bool:
    return bool(re.search(r"/(?:python[\d.]*|torchrun|accelerate|deepspeed|pip\d?)$", name))


# Signals that torchrun hands on to its processes, and those that end no program or every one.
HANDED_ON = {"TERM", "INT", "HUP", "QUIT"}
HARMLESS = {"CHLD", "CONT", "URG", "WINCH", "STOP", "TSTP", "TTIN", "TTOU", "KILL"}


@rule("signal_kills_the_launcher", verdict=WRONG, severity="warning", source=sources.TORCHRUN)
def signal_kills_the_launcher(context: Context) -> Iterator[Finding]:
    """A signal for the training ends torchrun, which does not handle it."""
    asked = context.request.signal
    name = _signal_name(asked.name) if asked else ""
    if asked is None or asked.target != "steps" or name in HANDED_ON | HARMLESS:
        return
    for launch in _steps(context):
        if launch.agent is None or launch.agent.name not in TORCH or _handles(launch):
            continue
        yield Finding(
            "signal_kills_the_launcher",
            "warning",
            launch.line,
            f"{name} reaches {called(launch.agent)} first, which does not handle it: the agent dies of it, and takes "
            "the training along.",
            f"--signal=TERM@{asked.before_s}, which it hands on, or srun python without {called(launch.agent)}",
        )
        return


def _handles(launch: Launch) -> bool:
    """True where the agent is told to hand it on, or the shell around it ignores it."""
    if any("signals" in setting.spelling for setting in launch.agent.settings):
        return True
    return any(re.search(r"\btrap\b", constant(word.atoms) or "") for word in launch.words)
