"""Slurm: rules that look at the options only."""

from __future__ import annotations

import re
from collections.abc import Iterator

from workshop.jobs.dialects.slurm.request import count_hosts, parse_nodes
from workshop.jobs.launch import Launch
from workshop.jobs.launch.processes import spread
from workshop.jobs.model import ACCEPT, VERSION, WRONG, Directive, Finding, JobRequest
from workshop.jobs.parts import sources
from workshop.jobs.parts.directives import directive_line, new_line, revalued
from workshop.jobs.parts.problem import BadValue
from workshop.jobs.parts.units import clock, show_time, slurm_time
from workshop.jobs.rules.base import Context
from workshop.jobs.rules.rule import rule
from workshop.jobs.rules.values import PLACEHOLDER

# Bare minutes that are far more often hours.
HOURS = {12, 24, 36, 48, 72, 96, 120, 144, 168}
SMALL_MB = 512
DELIBERATE_MB = 100  # from here on the number may be one of megabytes, enough for a small program


LONG_IN_MINUTES = 600  # nobody asks for so many hours


@rule("time_is_minutes", source=sources.SBATCH)
def time_is_minutes(context: Context) -> Iterator[Finding]:
    """A bare number, or MM:SS, where hours were probably meant."""
    for directive in context.script.directives:
        if directive.option != "--time" or not directive.value or _foreign(context, directive.line):
            continue
        value = directive.value.removeprefix("=")  # -t=10: a fault of its own
        bare = re.fullmatch(r"(\d+)", value)
        short = re.fullmatch(r"(\d+):(\d\d)", value)
        if not bare and not short:
            continue
        number = int((bare or short)[1])
        seconds = context.request.time_s if not context.heterogeneous else None
        shown = show_time(slurm_time(value) if seconds is None else seconds)
        unit = "minutes" if bare else "minutes:seconds"
        likely = number in HOURS and (bare or short[2] == "00") and not _says_minutes(directive.text)
        minutes = short and number < 60 and number % 5 == 0  # the minutes of a test: 5:00, 30:00
        if likely or 100 <= number < LONG_IN_MINUTES or (short and not minutes):
            yield Finding(
                "time_is_minutes",
                "warning" if likely else "note",
                directive.line,
                f"'{value}' is {unit}: {shown}.",
                f"--time={number}:00:00 for {number} hours; --time={clock(slurm_time(value) or 0)} is what it says now",
            )


def _says_minutes(text: str) -> bool:
    return bool(re.search(r"#.*\bmin", text[1:], re.IGNORECASE))


def _foreign(context: Context, line: int) -> bool:
    foreign = context.script.seen.foreign
    return bool(foreign) and line in foreign.lines


@rule("mem_unit_default_megabytes", source=sources.SBATCH)
def bare_memory(context: Context) -> Iterator[Finding]:
    """Memory without a unit is megabytes."""
    for directive in context.script.directives:
        if directive.option not in ("--mem", "--mem-per-cpu", "--mem-per-gpu") or not (directive.value or "").isdigit():
            continue
        value = int(directive.value)
        if value == 0 or _foreign(context, directive.line):
            continue
        tiny = value <= SMALL_MB and (
            value < DELIBERATE_MB or context.request.gpus_total != 0 or _starts_python(context)
        )
        yield Finding(
            "mem_unit_default_megabytes",
            "warning" if tiny else "note",
            directive.line,
            f"{directive.option}={value} has no unit: it means {value} MB"
            + (", too little even to import PyTorch." if tiny else "."),
            _with_unit(directive, value) if tiny or value <= SMALL_MB else revalued(directive, f"{value}M"),
        )


def _starts_python(context: Context) -> bool:
    return any(launch.is_python for launch in context.launches)


def _with_unit(directive: Directive, value: int) -> str:
    """The number with the unit that is meant: gigabytes, as long as a usual node has so many."""
    if value < DELIBERATE_MB:
        return f"{directive.option}={value}G"
    return f"{directive.option}={value}G for {value} GB, or {directive.option}={value}M if so little is meant"


# Rule, two options that exclude each other, what to do about it.
EXCLUSIVE = (
    (
        "gpus_per_task_with_ntasks_per_gpu",
        "--gpus-per-task",
        "--ntasks-per-gpu",
        "one of them; one GPU a task is --gpus-per-task=1 with --ntasks",
    ),
    ("ntasks_per_node_with_ntasks_per_gpu", "--ntasks-per-node", "--ntasks-per-gpu", "keep --ntasks-per-node"),
    ("cpus_per_gpu_with_cpus_per_task", "--cpus-per-gpu", "--cpus-per-task", "keep one of them"),
)


@rule(
    "mutually_exclusive_memory",
    "gpus_per_task_with_ntasks_per_gpu",
    "ntasks_per_node_with_ntasks_per_gpu",
    "cpus_per_gpu_with_cpus_per_task",
    severity="error",
    source=sources.SBATCH,
)
def exclusive_options(context: Context) -> Iterator[Finding]:
    """Options that sbatch refuses together."""
    if context.heterogeneous:
        return
    given = [o for o in ("--mem", "--mem-per-cpu", "--mem-per-gpu") if context.given(o)]
    if len(given) > 1:
        yield Finding(
            "mutually_exclusive_memory",
            "error",
            context.line(given[-1]),
            f"{' and '.join(given)} are mutually exclusive: sbatch refuses the job.",
            f"keep one, for example {given[0]}",
        )
    for name, one, other, advice in EXCLUSIVE:
        if context.given(one) and context.given(other):
            yield Finding(
                name,
                "error",
                context.line(other),
                f"{one} is mutually exclusive with {other}: sbatch refuses the job.",
                advice,
            )


@rule("gres_and_gpus_per_node_both_given", verdict=VERSION, severity="warning", source=sources.SBATCH)
@rule("gpus_total_vs_per_node", severity="error", source=sources.SBATCH)
@rule("uneven_gpus_per_node", severity="warning", source=sources.SBATCH)
def gpu_options(context: Context) -> Iterator[Finding]:
    """The ways of asking for GPUs against each other and against the nodes."""
    if context.heterogeneous:
        return
    gres = next((d for d in context.script.directives if d.option == "--gres" and "gpu" in (d.value or "")), None)
    if gres and context.given("--gpus-per-node"):
        yield Finding(
            "gres_and_gpus_per_node_both_given",
            "warning",
            context.line("--gpus-per-node"),
            "--gres=gpu and --gpus-per-node are both given: newer manuals call them exclusive; 22.05 takes both and "
            "records both.",
            "keep --gpus-per-node",
        )
        return
    yield from _totals(context, context.request, gres is not None)


def _totals(context: Context, request: JobRequest, gres: bool) -> Iterator[Finding]:
    per_node, nodes = request.gpus_per_node, request.nodes
    if context.given("--gpus"):
        total = request.gpus_total or 0
        written = per_node if gres or context.given("--gpus-per-node") else None
        if written and nodes and _nodes_fixed(context) and total != written * nodes:
            yield Finding(
                "gpus_total_vs_per_node",
                "error",
                context.line("--gpus"),
                f"--gpus={total} is a total, but {nodes} nodes with {written} GPUs each make {written * nodes}: sbatch "
                "refuses the job (the nodes needed do not match -N).",
                f"--gpus-per-node={written} alone",
            )
        elif nodes and nodes > 1 and not written and total:
            yield from _uneven(context, total, nodes)
    if context.given("--gpus-per-task") and request.tasks_per_node and per_node and context.given("--gpus-per-node"):
        needed = (request.extra.gpus_per_task or 0) * request.tasks_per_node
        if needed != per_node and not context.given("--ntasks"):
            yield Finding(
                "gpus_total_vs_per_node",
                "error",
                context.line("--gpus-per-task"),
                f"{request.tasks_per_node} tasks a node with {request.extra.gpus_per_task} "
                f"GPUs each need {needed} "
                f"GPUs a node, not {per_node}: sbatch refuses the job.",
                f"--gpus-per-node={needed}",
            )


def _nodes_fixed(context: Context) -> bool:
    return context.given("--nodes")


def _uneven(context: Context, total: int, nodes: int) -> Iterator[Finding]:
    if total < nodes:
        yield Finding(
            "gpus_total_vs_per_node",
            "error",
            context.line("--gpus"),
            f"--gpus={total} is fewer than --nodes={nodes}: sbatch refuses the job.",
            "--gpus-per-node=1",
        )
    elif total % nodes:
        yield Finding(
            "uneven_gpus_per_node",
            "warning",
            context.line("--gpus"),
            f"{total} GPUs do not divide evenly over {nodes} nodes: one node gets more than another, "
            "and launchers that "
            "start the same number of processes everywhere fail.",
            f"--gpus-per-node={-(-total // nodes)}",
        )


@rule("fewer_tasks_than_nodes", severity="warning", source=sources.SBATCH)
@rule(
    "ntasks_exceeds_nodes_times_per_node",
    "ntasks_overrides_ntasks_per_node",
    verdict=WRONG,
    severity="warning",
    source=sources.SBATCH,
)
def task_arithmetic(context: Context) -> Iterator[Finding]:
    """Numbers of tasks, of nodes and of tasks a node that contradict each other."""
    if context.heterogeneous:
        return
    request = context.request
    tasks = _number(context, "--ntasks")
    nodes = _number(context, "--nodes")
    per_node = request.tasks_per_node if context.given("--ntasks-per-node") else None
    if tasks and nodes and tasks < nodes:
        yield Finding(
            "fewer_tasks_than_nodes",
            "warning",
            context.line("--ntasks"),
            f"{tasks} task{'s' if tasks > 1 else ''} cannot use {nodes} nodes; Slurm takes fewer: \"can't run {tasks} "
            f"processes on {nodes} nodes, "
            f'setting nnodes to {tasks}".',
            f"--nodes={tasks}, or --ntasks-per-node",
        )
    if not (tasks and per_node) or _foreign(context, context.line("--ntasks-per-node") or 0):
        return
    if nodes and tasks > nodes * per_node:
        yield Finding(
            "ntasks_exceeds_nodes_times_per_node",
            "warning",
            context.line("--ntasks"),
            f"--ntasks={tasks} is more than {nodes} nodes with {per_node} tasks each "
            f"({nodes * per_node}): the job cannot "
            "start as it is written.",
            f"--nodes={-(-tasks // per_node)}, or drop --ntasks",
        )
    elif tasks < (nodes or 1) * per_node:
        yield Finding(
            "ntasks_overrides_ntasks_per_node",
            "warning",
            context.line("--ntasks"),
            f"--ntasks={tasks} wins; --ntasks-per-node={per_node} is then only a maximum. {tasks} "
            f"{'task starts' if tasks == 1 else 'tasks start'}, not {(nodes or 1) * per_node}.",
            f"drop --ntasks to get {(nodes or 1) * per_node} tasks",
        )


# CHANGELOG/slurm-23.02.md: "Allow for --nodelist to contain more nodes than required by --nodes."
LONGER_LIST = "23.02"


@rule("nodelist_longer_than_nodes", note_verdict=VERSION, source=sources.SBATCH)
def nodelist(context: Context) -> Iterator[Finding]:
    """--nodelist names more nodes than --nodes allows."""
    named, request = context.script.last("--nodelist"), context.request
    most = request.extra.nodes_max or _least_nodes(context)
    if context.heterogeneous or not named or not most or "arbitrary" in (request.extra.distribution or ""):
        return
    count = count_hosts(named.value or "") if not re.search(r"[/{$]", named.value or "") else None
    if not count or count <= most or context.profile.has_slurm(LONGER_LIST):
        return
    version = context.profile.slurm_version
    yield Finding(
        "nodelist_longer_than_nodes",
        "error" if version else "note",
        named.line,
        f"--nodelist names {count} nodes and --nodes allows {most}. Slurm before {LONGER_LIST} refuses the job, "
        f"'invalid number of nodes (-N {count}-{most})'"
        + ("." if version else f"; since {LONGER_LIST} it takes {most} of them."),
        f"--nodes={count} for all of them, or {most} {'name' if most == 1 else 'names'} in --nodelist",
    )


def _least_nodes(context: Context) -> int | None:
    """What ``--nodes`` says, also where fewer tasks make fewer nodes of it."""
    written = context.script.last("--nodes")
    try:
        return parse_nodes(written.value or "")[0] if written else None
    except BadValue:
        return None


def _number(context: Context, option: str) -> int | None:
    directive = context.script.last(option)
    return int(directive.value) if directive and (directive.value or "").isdigit() else None


def _several_tasks_a_node(request: JobRequest) -> bool:
    """True unless every node gets one task, whose local rank is 0 and fits whatever it sees."""
    per_node = request.tasks_per_node
    if per_node is None and request.tasks and request.nodes:
        per_node = -(-request.tasks // request.nodes)
    return (per_node or request.tasks or 2) > (request.extra.gpus_per_task or 1)


def _may_be_python(launch: Launch) -> bool:
    """False for a program without an ending, such as ``./flow``: compiled, and no concern of PyTorch's."""
    name = launch.name
    return launch.is_python or launch.agent is not None or not name or "." in name


def _unbound(step: Launch) -> bool:
    """True for ``srun --gpu-bind=none``."""
    return any("gpu-bind" in one.spelling and "none" in one.shown for one in step.spread.settings)


@rule("each_task_sees_only_its_gpu", verdict=ACCEPT, source=sources.SBATCH)
def each_task_sees_only_its_gpu(context: Context) -> Iterator[Finding]:
    """GPUs bound to tasks: each sees its own as number 0."""
    bind = context.script.last("--gpu-bind")
    if bind and "none" in (bind.value or "").split(","):
        return  # "implicitly set … but that can be overridden with an explicit --gpu-bind" (man sbatch)
    steps = [one for one in context.launches if one.spread is not None and one.spread.name == "srun"]
    if steps and all(spread(one, context.shape).tasks == 1 or _unbound(one) for one in steps):
        return  # each of them is the only task of its step, or sees all GPUs
    binding = [option for option in ("--gpus-per-task", "--ntasks-per-gpu") if context.given(option)]
    for option in binding if len(binding) == 1 else ():
        if context.given(option) and any(map(_several_tasks_a_node, context.requests)):
            compiled = not any(map(_may_be_python, context.launches))
            yield Finding(
                "each_task_sees_only_its_gpu",
                "note" if compiled else "warning",
                context.line(option),
                f"{option} binds: each task sees only its own GPU as device 0, so "
                "torch.cuda.set_device(LOCAL_RANK) fails "
                "with 'invalid device ordinal' for local ranks above 0.",
                "--gpus-per-node=N in the script, or device = LOCAL_RANK % torch.cuda.device_count() in the code",
            )
            return


@rule("gpus_per_task_needs_ntasks", severity="error", source=sources.SBATCH)
def gpus_per_task_needs_ntasks(context: Context) -> Iterator[Finding]:
    """GPUs for each task, and no number of tasks."""
    request = context.request
    if context.heterogeneous or not request.extra.gpus_per_task or context.given("--ntasks", "--gpus"):
        return
    tres = (context.script.last("--tres-per-task") or Directive(0, "", "")).value or ""
    cpus = context.given("--cpus-per-task") or "cpu=" in tres
    fixed = request.nodes is not None and context.given("--nodes") and not request.extra.nodes_max
    if fixed and (context.given("--ntasks-per-node") or not cpus):
        return
    tasks = (request.nodes or 1) * (request.tasks_per_node or 1)
    yield Finding(
        "gpus_per_task_needs_ntasks",
        "error",
        context.line("--gpus-per-task", "--tres-per-task"),
        "GPUs are asked for each task, but nothing fixes the number of tasks: sbatch refuses the job, "
        "'Failed to validate job spec'.",
        f"#SBATCH --ntasks={tasks}",
    )


SOCKETS = 2  # of nearly every node with GPUs
LARGEST_NODE = 256  # cores of the largest nodes that are common


@rule("tasks_per_socket_is_a_maximum", severity="warning", source=sources.SBATCH)
def tasks_per_socket(context: Context) -> Iterator[Finding]:
    """More tasks on a node than two sockets may take."""
    most = _number(context, "--ntasks-per-socket")
    request = context.request
    if context.heterogeneous or not most or context.given("--sockets-per-node", "--extra-node-info"):
        return
    nodes = request.nodes if context.given("--nodes") else None
    each = request.tasks_per_node or (-(-request.tasks // nodes) if nodes and request.tasks else request.tasks)
    if not each or each <= SOCKETS * most or (not nodes and each * (request.cpus_per_task or 1) > LARGEST_NODE):
        return  # more than any node has: that they are spread is meant
    where = "a node" if nodes or request.tasks_per_node else "in all, on a node if they fit"
    yield Finding(
        "tasks_per_socket_is_a_maximum",
        "warning",
        context.line("--ntasks-per-socket"),
        f"--ntasks-per-socket={most} is a maximum: a node with {SOCKETS} sockets takes {SOCKETS * most} tasks, and "
        f"{each} are asked for ({where}). They do not fit, or are spread over more nodes.",
        f"--ntasks-per-node={each} in its place, or --ntasks-per-socket={-(-each // SOCKETS)}",
    )


@rule("bad_value", severity="warning", source=sources.SBATCH)
def priority_in_words(context: Context) -> Iterator[Finding]:
    """--priority takes a number or TOP; of a word sbatch makes 0 (strtoll), with which a job is held."""
    directive = context.script.last("--priority")
    value = (directive.value or "") if directive else ""
    if not value or re.match(r"[+-]?\d", value) or value.upper() == "TOP" or context.script.unclaimed(value):
        return
    yield Finding(
        "bad_value",
        "warning",
        directive.line,
        f"--priority takes a number or TOP: '{value}' is read as 0, and a job of priority 0 is held.",
        f"--qos={value}, if that is the name of a QOS, or no such line",
    )


@rule("percent_j_not_expanded_in_job_name", verdict=WRONG, severity="warning", source=sources.SBATCH)
def percent_in_job_name(context: Context) -> Iterator[Finding]:
    """Patterns such as %j work in file names, not in the job's name."""
    for directive in context.script.directives:
        name = directive.value or ""
        if directive.option == "--job-name" and re.search(r"(?<!%)%[jJxAaNnu]", name) and not PLACEHOLDER.search(name):
            yield Finding(
                "percent_j_not_expanded_in_job_name",
                "warning",
                directive.line,
                f"'{directive.value}': patterns such as %j work in file names only; the name keeps the percent sign.",
                "a plain --job-name; put %x-%j into --output",
            )


@rule("requeue_truncates_log", severity="warning", source=sources.SBATCH)
def requeue_truncates_log(context: Context) -> Iterator[Finding]:
    """A requeued job empties its log."""
    asks = next(
        (one for one in context.reading.named("scontrol") if "requeue" in {word.text for word in one.words}),
        None,
    )
    line = context.line("--requeue") if context.request.requeue else None
    if (line is None and asks is None) or context.request.open_mode == "append" or context.profile.log_append:
        return
    yield Finding(
        "requeue_truncates_log",
        "warning",
        line or asks.line,
        "A requeued job begins again with the same job id and, by default, an emptied log: the messages of the first "
        "run are gone.",
        _appended(context, line),
    )


def _appended(context: Context, line: int | None) -> str:
    """A further directive; none where the script asks for the other way itself."""
    text = directive_line(context.dialect.magic, "--open-mode", "append")
    lines = [d.line for d in context.script.directives if d.text.startswith(context.dialect.magic)]
    if context.request.open_mode or not lines or (line and line not in lines):
        return text
    return new_line((line or max(lines)) + 1, text)


@rule(
    "ngpus_dropped_by_wrapper",
    "walltime_seconds_became_minutes",
    verdict=WRONG,
    severity="warning",
    source=sources.SLURM_XLATE,
)
def foreign_walltime(context: Context) -> Iterator[Finding]:
    """What the wrapper does to a PBS file: GPUs dropped, seconds read as minutes."""
    foreign = context.script.seen.foreign
    if not foreign or foreign.magic != "#PBS":
        return
    for what, line in foreign.dropped:
        if what.startswith("ngpus="):
            yield Finding(
                "ngpus_dropped_by_wrapper",
                "warning",
                line,
                f"sbatch's PBS wrapper knows no ngpus: '{what}' is dropped and the job gets no GPU.",
                f"#SBATCH --gpus-per-node={what[6:]}",
            )
    for name, value, line in foreign.options:
        if name == "time" and (value or "").isdigit():
            yield Finding(
                "walltime_seconds_became_minutes",
                "warning",
                line,
                f"walltime={value} is seconds in PBS, but sbatch takes it for minutes: {show_time(int(value) * 60)}.",
                f"#SBATCH --time={clock(int(value))}",
            )


@rule("mem_zero_is_all_memory", severity="note", source=sources.SBATCH)
def memory_zero(context: Context) -> Iterator[Finding]:
    """--mem=0 is all the memory of a node."""
    if context.request.mem and context.request.mem.value == 0 and context.request.mem.scope == "per_node":
        yield Finding(
            "mem_zero_is_all_memory",
            "note",
            context.line("--mem"),
            "--mem=0 asks for all the memory of each node.",
            "",
        )
