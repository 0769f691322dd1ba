"""Slurm: rules that look at the commands: launchers, ranks, signals, environment."""

from __future__ import annotations

import re
import signal
from collections.abc import Iterator

from workshop.jobs.model import VERSION, WRONG, Finding
from workshop.jobs.parts import sources
from workshop.jobs.parts.directives import new_line
from workshop.jobs.parts.shell import Command, is_python, is_torchrun, launched, option_value, unquote
from workshop.jobs.rules.base import Context, variables
from workshop.jobs.rules.rule import rule


def _tasks_per_node(context: Context, command: Command | None = None) -> int | None:
    """Tasks that srun would start on each node, with the step's own options; None = not to be told."""
    arguments = command.arguments if command else ()
    per_node = option_value(arguments, "--ntasks-per-node", "--tasks-per-node")
    tasks = option_value(arguments, "--ntasks", "-n")
    nodes = option_value(arguments, "--nodes", "-N")
    if per_node:
        return int(per_node) if per_node.isdigit() else None
    if tasks:
        count = context.request.nodes if nodes is None else int(nodes) if nodes.isdigit() else None
        if not tasks.isdigit():
            # -n $SLURM_NNODES is one task a node; any other variable could be anything.
            return 1 if variables(tasks) & {"SLURM_NNODES", "SLURM_JOB_NUM_NODES"} else None
        return -(-int(tasks) // count) if count else None
    total, on = context.request.tasks, context.request.nodes
    if context.request.tasks_per_node and not context.given("--ntasks"):
        return context.request.tasks_per_node
    return -(-total // on) if total and on else None


@rule("torchrun_needs_one_task_per_node", verdict=WRONG, severity="warning", source=sources.TORCHRUN)
def torchrun_needs_one_task(context: Context) -> Iterator[Finding]:
    """srun starts torchrun several times on a node."""
    if context.heterogeneous:
        return
    for command in context.body.sruns:
        inner = launched(command)
        text = context.body.expanded(command)
        if not is_torchrun(inner) and not re.search(
            r"\b(torchrun|torch\.distributed\.(run|launch)|accelerate launch)\b", text
        ):
            continue
        per_node = _tasks_per_node(context, command)
        if per_node and per_node > 1:
            yield Finding(
                "torchrun_needs_one_task_per_node",
                "warning",
                command.line,
                f"srun starts torchrun {per_node} times on each node, and each of them starts all "
                "local processes: they "
                "fight for GPUs and for the rendezvous.",
                "--ntasks-per-node=1 with torchrun --nproc_per_node=GPUS, or srun python without torchrun",
            )
            return


SPREADERS = {
    "parallel",
    "xargs",
    "ray",
    "dask",
    "horovodrun",
    "deepspeed",
    "snakemake",
    "nextflow",
    "julia",
    "Rscript",
    "matlab",
    "make",
}


@rule("no_launcher_in_multi_task_job", verdict=WRONG, severity="warning", source=sources.SRUN)
def no_launcher(context: Context) -> Iterator[Finding]:
    """Many tasks, but the only thing that runs is a plain python in the batch shell."""
    request = context.request
    if context.heterogeneous or context.body.launchers or not (request.tasks or 0) > 1:
        return
    if context.script.seen.pure_foreign:
        return
    commands = context.body.commands
    if any(command.name in SPREADERS for command in commands) or _background(commands):
        return
    plain = next((c for c in commands if is_python(launched(c))), None)
    agent = next((c for c in commands if is_torchrun(launched(c))), None)
    if agent and (request.nodes or 1) > 1:
        yield Finding(
            "no_launcher_in_multi_task_job",
            "warning",
            agent.line,
            f"torchrun starts on the first of {request.nodes} nodes only: nothing starts it on the others, so the "
            "rendezvous waits until it times out.",
            "srun --ntasks-per-node=1 torchrun …",
        )
    elif plain and not agent:
        yield Finding(
            "no_launcher_in_multi_task_job",
            "warning",
            plain.line,
            f"The job asks for {request.tasks} tasks, but a plain python runs once, on the first node: the other tasks "
            "never start. A framework that sees SLURM_NTASKS may wait for them forever.",
            "srun python …, or --ntasks=1",
        )


def _background(commands: list[Command]) -> bool:
    return (
        sum(command.background for command in commands) > 1
        or any(command.background and command.text.lstrip().startswith(("for", "while")) for command in commands)
        or (any(c.background for c in commands) and any(c.name in ("for", "while") for c in commands))
    )


@rule("gpus_more_than_tasks", source=sources.SBATCH)
def gpus_more_than_tasks(context: Context) -> Iterator[Finding]:
    """More GPUs than tasks, with one GPU a process: some stay idle."""
    request = context.request
    if context.heterogeneous or not request.gpus_total or not request.tasks or request.gpus_total <= request.tasks:
        return
    command = next((c for c in context.body.sruns if is_python(launched(c))), None)
    if command is None or any(is_torchrun(launched(c)) for c in context.body.commands):
        return
    if option_value(command.arguments, "-n", "--ntasks", "--ntasks-per-node"):
        return
    asked = context.given("--ntasks", "--ntasks-per-node")
    yield Finding(
        "gpus_more_than_tasks",
        "warning" if asked else "note",
        command.line,
        f"{request.gpus_total} GPUs, but {request.tasks} task{'s' if request.tasks > 1 else ''}: with one GPU a "
        "process, the others stay idle.",
        "--ntasks-per-node = GPUs a node, or one GPU less",
    )


@rule("srun_asks_more_tasks_than_allocated", verdict=WRONG, source=sources.SRUN)
def srun_asks_too_much(context: Context) -> Iterator[Finding]:
    """srun asks for more tasks than the job has."""
    request = context.request
    if context.heterogeneous or not request.tasks or request.exclusive:
        return
    for command in context.body.sruns:
        text = option_value(command.arguments, "-n", "--ntasks")
        if text is None or not text.isdigit() or int(text) <= request.tasks:
            continue
        if any(unquote(word) in ("--overcommit", "-O") for word in command.arguments):
            continue
        cpus = request.cpus_total or request.tasks
        step = option_value(command.arguments, "-c", "--cpus-per-task")
        needed = int(text) * (int(step) if step and step.isdigit() else 1)
        yield Finding(
            "srun_asks_more_tasks_than_allocated",
            "warning" if needed > cpus else "note",
            command.line,
            f"srun -n {text} in a job of {request.tasks} task{'s' if request.tasks > 1 else ''} and {cpus} "
            f"CPU{'s' if cpus > 1 else ''}: "
            + (
                "srun refuses the step (More processors requested than permitted)."
                if needed > cpus
                else "it works only as long as CPUs are left."
            ),
            f"#SBATCH --ntasks={text}",
        )
        return


# Variable of the framework -> variables of a Slurm task that mean the same, and are 0 in the batch shell.
RANKS = {
    "RANK": {"SLURM_PROCID", "SLURM_NODEID"},
    "LOCAL_RANK": {"SLURM_LOCALID", "SLURM_PROCID"},
    "NODE_RANK": {"SLURM_NODEID", "SLURM_PROCID"},
    "GROUP_RANK": {"SLURM_NODEID"},
    "MACHINE_RANK": {"SLURM_NODEID", "SLURM_PROCID"},
    "GLOBAL_RANK": {"SLURM_PROCID"},
    "NODE_ID": {"SLURM_NODEID"},
    "RANK_ID": {"SLURM_PROCID"},
    "PROC_RANK": {"SLURM_PROCID"},
}
PER_TASK = {"SLURM_PROCID", "SLURM_LOCALID", "SLURM_NODEID"}


@rule("rank_set_outside_srun", verdict=WRONG, severity="warning", source=sources.SRUN)
def rank_set_outside_srun(context: Context) -> Iterator[Finding]:
    """SLURM_PROCID and its sisters, expanded by the batch shell, where all of them are 0."""
    sruns = context.body.sruns
    if not sruns or (context.request.tasks == 1 and (context.request.nodes or 1) == 1 and not context.heterogeneous):
        return
    for command in context.body.commands:
        if command.line > sruns[-1].line:
            return
        for name, value in command.assigns.items():
            expanded = variables(value) & PER_TASK if not value.startswith("'") else set()
            if expanded and (name in RANKS or name.upper().endswith("RANK")):
                yield _rank(command.line, f"{name}=${sorted(expanded)[0]}")
                return
        if command.name == "srun" and (found := _expanded_words(command)):
            yield _rank(command.line, found)
            return


def _expanded_words(command: Command) -> str | None:
    """A word of the srun line in which the batch shell expands a per-task variable."""
    for word in command.arguments:
        if word.startswith("'"):
            continue
        plain = re.sub(r"'[^']*'|\\\$", "", word) if not word.startswith('"') else re.sub(r"\\\$", "", word)
        used = variables(plain) & PER_TASK
        if used:
            return f"${sorted(used)[0]}"
    return None


def _rank(line: int, what: str) -> Finding:
    return Finding(
        "rank_set_outside_srun",
        "warning",
        line,
        f"{what} is expanded by the batch shell, where it is 0: every task gets rank 0, and all but one fail with "
        "EADDRINUSE or wait forever.",
        "set it inside the task: srun bash -c 'RANK=$SLURM_PROCID LOCAL_RANK=$SLURM_LOCALID exec python train.py', or "
        "read SLURM_PROCID in the program",
    )


@rule("export_none_reaches_srun", severity="warning", source=sources.SBATCH)
def export_none(context: Context) -> Iterator[Finding]:
    """--export=NONE reaches the tasks of srun as well."""
    if (context.request.export or "").upper() != "NONE" or not context.body.sruns:
        return
    if context.body.assignments("SLURM_EXPORT_ENV") or any(
        command.name == "unset" and "SLURM_EXPORT_ENV" in command.words for command in context.body.commands
    ):
        return
    if all(option_value(command.arguments, "--export") for command in context.body.sruns):
        return
    yield Finding(
        "export_none_reaches_srun",
        "warning",
        context.line("--export"),
        "--export=NONE is inherited by srun: what module and activate put into the environment does "
        "not reach the tasks.",
        f"{context.exported('SLURM_EXPORT_ENV', 'ALL')} in the script, or srun --export=ALL",
    )


@rule("srun_needs_cpus_per_task_22_05_to_23_02", verdict=VERSION, source=sources.SRUN)
def srun_needs_cpus_per_task(context: Context) -> Iterator[Finding]:
    """From 22.05 to 23.02 srun does not take --cpus-per-task over from the job."""
    if context.heterogeneous or not context.given("--cpus-per-task") or context.request.cpus_per_task == 1:
        return
    version = context.profile.slurm_version
    if version and not ("22.05" <= version < "23.11"):
        return
    if context.body.assignments("SRUN_CPUS_PER_TASK") or context.sets("SRUN_CPUS_PER_TASK"):
        return
    bare = next((c for c in context.body.sruns if option_value(c.arguments, "-c", "--cpus-per-task") is None), None)
    if bare is None:
        return
    code = "\n".join(line for _, line in context.body.code())
    counts = bool(version) or bool(re.search(r"SLURM_CPUS_PER_TASK|OMP_NUM_THREADS|MKL_NUM_THREADS", code))
    yield Finding(
        "srun_needs_cpus_per_task_22_05_to_23_02",
        "warning" if counts else "note",
        bare.line,
        "In Slurm 22.05 to 23.02 srun does not take --cpus-per-task over from the job: its tasks get "
        "one CPU each, while "
        "SLURM_CPUS_PER_TASK still says more.",
        _handed_on(context),
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
    traps = [
        c
        for c in context.body.commands
        if c.name == "trap"
        and len(c.words) > 2
        and any(_signal_name(unquote(word)) == asked.name for word in c.words[2:])
    ]
    line = context.line("--signal")
    if not traps and any(re.match(r"\s*exec\s+\S", c.text) and c.words for c in context.body.commands):
        return  # the program has taken the shell's place and hears the signal itself
    if not traps:
        yield Finding(
            "signal_goes_to_shell_without_trap",
            "warning",
            line,
            f"'B:' sends {asked.name} to the batch shell only, and there is no trap: bash dies, and the program never "
            "hears of it.",
            _trap_fix(asked.name),
            sources.SBATCH,
        )
        return
    if not context.body.is_shell or any(c.name == "wait" for c in context.body.commands if c.line > traps[0].line):
        return
    work = next(
        (
            c
            for c in context.body.commands
            if c.line > traps[0].line
            and not c.background
            and (c.name == "srun" or is_python(launched(c)) or is_torchrun(launched(c)))
        ),
        None,
    )
    if work:
        yield Finding(
            "signal_goes_to_shell_without_trap",
            "warning",
            work.line,
            "bash runs the trap only after the program in the foreground has ended, which is too late.",
            _trap_fix(asked.name),
            sources.BASH,
        )


def _trap_fix(name: str) -> str:
    return f"trap '…' {name} and 'srun python … & wait', or --signal={name}@120 without B: and srun python"
