"""PBS Pro, OpenPBS and Torque."""

from __future__ import annotations

import re
from collections.abc import Iterator

from workshop.jobs.dialects.pbs.resources import OWN
from workshop.jobs.launch import Launch
from workshop.jobs.launch.questions import is_helper
from workshop.jobs.model import ACCEPT, SITE, WRONG, Finding
from workshop.jobs.parts import sources
from workshop.jobs.parts.directives import new_line
from workshop.jobs.parts.leftover import item
from workshop.jobs.parts.reading import Command
from workshop.jobs.parts.text import words
from workshop.jobs.parts.values import atoms
from workshop.jobs.rules.base import Context
from workshop.jobs.rules.rule import rule

# Variables that PBS itself, Torque or well-known sites set in a job.
KNOWN = frozenset(
    words("""
    PBS_ARRAY_ID PBS_ARRAY_INDEX PBS_CONF_FILE PBS_DEFAULT PBS_DPREFIX PBS_ENVIRONMENT PBS_EXEC PBS_HOME
    PBS_JOBCOOKIE PBS_JOBDIR PBS_JOBID PBS_JOBNAME PBS_MOMPORT PBS_NODEFILE PBS_NODENUM PBS_QUEUE PBS_SERVER
    PBS_TASKNUM PBS_TMPDIR PBS_SID PBS_HOOK_CONFIG_FILE PBS_ACCOUNT PBS_NCPUS PBS_NGPUS PBS_NNODES PBS_VMEM
    PBS_JOBFS PBS_WALLTIME PBS_PROJECT PBS_MPI_DEBUG PBS_RSHCOMMAND PBS_LIBRARY_PATH PBS_CORE_LIMIT PBS_TCL
    PBS_CGROUP
    """)
)
KNOWN_TORQUE = frozenset(
    words("""
    PBS_ARRAYID PBS_NUM_NODES PBS_NUM_PPN PBS_NP PBS_VNODENUM PBS_GPUFILE PBS_MICFILE PBS_VERSION PBS_NODENUM
    PBS_TASKNUM PBS_MSHOST
    """)
)
MEANT = {
    "PBS_WORKDIR": "PBS_O_WORKDIR",
    "PBS_O_WORK_DIR": "PBS_O_WORKDIR",
    "PBS_JOB_ID": "PBS_JOBID",
    "PBS_ID": "PBS_JOBID",
    "PBS_NODE_FILE": "PBS_NODEFILE",
    "PBS_SUBMIT_DIR": "PBS_O_WORKDIR",
    "PBS_JOB_NAME": "PBS_JOBNAME",
    "PBS_ARRAYID": "PBS_ARRAY_INDEX",
    "PBS_ARRAY_INDEX": "PBS_ARRAYID",
    "PBS_ARRAY_TASK_ID": "PBS_ARRAY_INDEX",
    "PBS_TASK_ID": "PBS_ARRAY_INDEX",
    "PBS_O_WORKIDR": "PBS_O_WORKDIR",
    "PBS_NUM_PPN": "NCPUS or the nodefile",
    "PBS_NP": "$(wc -l < $PBS_NODEFILE)",
    "PBS_NUM_NODES": "$(sort -u $PBS_NODEFILE | wc -l)",
}


@rule("unknown_pbs_variable", verdict=WRONG, severity="warning", source=sources.QSUB)
def unknown_variable(context: Context) -> Iterator[Finding]:
    """A PBS_ variable that PBS does not set."""
    torque = context.script.scheduler == "torque"
    known = (KNOWN | KNOWN_TORQUE) - {"PBS_ARRAY_INDEX"} if torque else KNOWN
    found: dict[str, int] = {}
    for name, number in sorted(context.used.items(), key=lambda item: item[1]):
        unknown = name.startswith("PBS_") and not name.startswith(("PBS_O_", "PBS_NCI_")) and name not in known
        if unknown or (name in MEANT and name.startswith("PBS_O_")):
            found[name] = number
    code = "\n".join(line for _, line in context.code)
    for name, number in found.items():
        if context.reading.set(name) or re.search(rf"\$\{{{name}:?[-+]", code):
            continue
        meant = MEANT.get(name)
        after = " An empty name after cd goes to HOME." if re.search(rf"cd\s+[\"']?\$\{{?{name}", code) else ""
        whose = "Torque's" if name in KNOWN_TORQUE and not torque else "not set by PBS"
        yield Finding(
            "unknown_pbs_variable",
            "warning",
            number,
            f"{name} is {whose}: it is empty here.{after}",
            meant or "see the environment variables in man qsub",
        )


RELATIVE = re.compile(
    r"^(?:\.{1,2}/)*[\w\-]+(?:/[\w.\-]+)*\.(?:py|sh|R|jl|pl|lua|m|exe|x|out|yml|yaml|json|toml|txt|csv|sif)$"
)


@rule("missing_cd_workdir", severity="warning", source=sources.QSUB)
def missing_cd(context: Context) -> Iterator[Finding]:
    """The job starts in HOME: something relative is used before any cd."""
    if context.request.extra.start_in_submit_dir or context.request.extra.chdir:
        return
    for command in context.reading.commands:
        if command.marks.uncalled or command.marks.substituted:
            continue
        upwards = _upwards(command)
        if command.name in ("cd", "pushd") and command.arguments and not upwards:
            return
        word = upwards or _relative(context, command)
        if word:
            yield Finding(
                "missing_cd_workdir",
                "warning",
                command.line,
                f"PBS starts the job in $HOME, not where it was submitted: '{word}' is looked for there. The first "
                "command has to go back.",
                _back(context),
            )
            return


def _upwards(command: Command) -> str:
    """``cd ..``: a folder beside that of the script, which nobody means to look for beside HOME."""
    first = (command.arguments[0].text or "") if command.arguments else ""
    return first if command.name in ("cd", "pushd") and re.match(r"\.\.(?:/|\Z)", first) else ""


def _back(context: Context) -> str:
    """The command that goes to the folder from which the job was submitted."""
    text = 'cd "$PBS_O_WORKDIR"'
    return text if context.script.seen.generated else new_line(context.script.body_line, text)


# Programs whose arguments are files that they run.
RUNS_FILES = ("bash", "sh", "Rscript", "julia")


def _relative(context: Context, command: Command) -> str | None:
    """A file that the command looks for in the folder in which it stands."""
    first = command.words[0].text or "" if command.words else ""
    if first.startswith(("./", "../")):
        return first
    if command.name in ("source", "."):
        # Without a slash bash looks in PATH first.
        name = (command.arguments[0].text or "") if command.arguments else ""
        return name if "/" in name and not name.startswith(("/", "~")) else None
    words = command.arguments if command.name in RUNS_FILES else ()
    for launch in context.launches:
        if launch.command is command and not _elsewhere(launch):
            program = launch.program[0].text or "" if launch.program else ""
            if program.startswith(("./", "../")):
                return program
            words = (*words, *(launch.program if launch.is_python or launch.first("shell") else ()))
    return next((word.text for word in words if RELATIVE.match(word.text or "")), None)


def _elsewhere(launch: Launch) -> bool:
    """True where the program may start in a folder of its own."""
    shell = launch.first("shell")
    if any(layer.has("chdir") or layer.name == "docker" for layer in launch.layers):
        return True  # docker starts it in the folder of the image
    return shell is not None and shell.has("command")


def _chunks(context: Context) -> list[dict]:
    """The chunks of select=; none where the old form was used or the server refuses the mixture."""
    if not _select(context) or any(p.rule == "mixed_old_and_new_resource_syntax" for p in context.script.problems):
        return []
    return context.request.extra.chunks or []


def _select(context: Context) -> bool:
    return any(d.option == "-l" and "select=" in (d.value or "") for d in context.script.directives)


def _line_of_select(context: Context) -> int | None:
    lines = [one.line for one in context.script.directives if one.option == "-l" and "select=" in (one.value or "")]
    return lines[-1] if lines else context.line("-l")


def _line_of_totals(context: Context) -> int | None:
    """The first line that asks for cores, GPUs or memory beside select."""
    asks = re.compile(r"(?:^|,)(?:ncpus|ngpus|mem)=")
    lines = [one.line for one in context.script.directives if one.option == "-l" and asks.search(one.value or "")]
    return lines[0] if lines else context.line("-l")


def _mpi(context: Context) -> list[Launch]:
    """The launches by an MPI's own launcher."""
    return [one for one in context.launches if one.spread is not None and one.spread.name in ("openmpi", "hydra")]


@rule("mpiprocs_missing_nodefile_has_one_line_per_chunk", severity="warning", source=sources.PBS_RESOURCES)
def mpiprocs_missing(context: Context) -> Iterator[Finding]:
    """Without mpiprocs the node file has one line a chunk, whatever ncpus says."""
    chunks = _chunks(context)
    lines = sum(chunk["count"] for chunk in chunks)
    if (
        not chunks
        or any("mpiprocs" in chunk for chunk in chunks)
        or all(chunk.get("ncpus", 1) == 1 for chunk in chunks)
    ):
        return
    hybrid = bool(context.reading.set("OMP_NUM_THREADS"))
    used = next(
        (one for one in _mpi(context) if _ranks(one) not in (lines, "any") and not (hybrid and _ranks(one) is None)),
        None,
    )
    counted = next((n for n, line in _counting(context) if not COUNTS_CHUNKS.search(line)), None)
    if used is None and counted is None:
        return
    yield Finding(
        "mpiprocs_missing_nodefile_has_one_line_per_chunk",
        "warning",
        used.line if used else counted,
        f"select names no mpiprocs, so PBS_NODEFILE has one line a chunk ({lines} in all), although "
        "each chunk has more "
        "CPUs: MPI sees that many slots, and wc -l gives that number.",
        "select=…:mpiprocs=N with N = ranks per chunk",
    )


def _ranks(launch: Launch) -> int | str | None:
    """Ranks that mpiexec is told to start; ``any`` where the hosts and counts are given by other means."""
    layer = launch.spread
    if layer.has("tasks_per_node", "map_by", "one_per_node"):
        return "any"
    tasks = layer.get("tasks")
    return None if tasks is None else int(tasks.text) if (tasks.text or "").isdigit() else tasks.shown


# The number of lines is taken for the number of nodes.
NODES = re.compile(r"(?i)\bnodes\b|n_?nodes|num_?nodes|node_?count|nhosts|num_machines")
# One line a chunk is what is wanted: a number of nodes, or a launcher that is told the ranks of each node.
COUNTS_CHUNKS = re.compile(NODES.pattern + r"|-ppn\b|-map-by\b|-perhost\b|npernode\b")


def _counting(context: Context) -> list[tuple[int, str]]:
    """The lines that count the node file, without those whose number nothing uses."""
    found = [(number, line) for number, line in context.code if _counts_nodefile(line)]
    names = [re.match(r"\s*(?:export\s+)?([A-Za-z_]\w*)=", line) for _, line in found]
    return [one for one, name in zip(found, names, strict=True) if name is None or name[1] in context.used]


def _counts_nodefile(line: str) -> bool:
    return "PBS_NODEFILE" in line and "wc" in line and not re.search(r"sort\s+-u|uniq", line)


@rule("nodefile_lists_a_host_once_per_mpiproc", source=sources.PBS_RESOURCES)
def nodefile_repeats_hosts(context: Context) -> Iterator[Finding]:
    """A host stands once per mpiproc (Torque: per ppn) in the node file."""
    request = context.request
    procs = max([chunk.get("mpiprocs", 1) for chunk in _chunks(context)] or [request.extra.ppn or 1])
    if procs < 2:
        return
    for number, line in context.code:
        if "PBS_NODEFILE" not in line or re.search(r"sort\s+(-\w+\s+)*-u|uniq|sort -u|awk '!", line):
            continue
        counts_nodes = _counts_nodefile(line) and NODES.search(line)
        loops = re.search(r"\bfor\b.*\bin\b.*PBS_NODEFILE|while.*read.*|pdsh|ssh", line)
        if (counts_nodes and not _used_as_ranks(context, line)) or loops:
            yield Finding(
                "nodefile_lists_a_host_once_per_mpiproc",
                "warning",
                number,
                f"PBS_NODEFILE has a line for each rank: each host stands there {procs} times, so this "
                "does not count or visit nodes.",
                "sort -u $PBS_NODEFILE | wc -l",
            )
            return
        if _counts_nodefile(line):
            yield Finding(
                "nodefile_lists_a_host_once_per_mpiproc",
                "note",
                number,
                f"wc -l counts ranks here ({request.tasks}), not nodes ({request.nodes}).",
                "sort -u $PBS_NODEFILE | wc -l for nodes",
            )
            return


def _used_as_ranks(context: Context, line: str) -> bool:
    """True where the counted number is what mpirun -np gets, whatever its name says."""
    name = re.match(r"\s*(?:export\s+)?(\w+)=", line)
    counts = [one.spread.get("tasks") for one in _mpi(context)]
    return bool(name) and any(name[1] in atom.via for tasks in counts if tasks for atom in atoms(tasks.value or ()))


@rule("chunks_may_share_a_host", source=sources.PBS_RESOURCES)
def chunks_may_share(context: Context) -> Iterator[Finding]:
    """Several chunks may lie on one host."""
    request = context.request
    chunks = _chunks(context)
    count = sum(chunk["count"] for chunk in chunks)
    if count < 2 or any("host" in chunk or "vnode" in chunk for chunk in chunks):
        return
    if not any(set(chunk) & OWN for chunk in chunks):
        return  # as at sites that give whole nodes
    if request.place and re.search(r"scatter|excl|group=", request.place):
        return
    matters = any(chunk.get("ngpus") for chunk in chunks) or any(
        one.agent is not None or (one.spread is not None and one.spread.name == "pbsdsh")
        for one in context.launches
        if not is_helper(one)
    )
    yield Finding(
        "chunks_may_share_a_host",
        "warning" if matters else "note",
        _line_of_select(context),
        f"{count} chunks are not {count} hosts: without place=scatter PBS may put several of them on one host.",
        "-l place=scatter",
    )


@rule("join_eo_puts_stdout_into_stderr_file", verdict=ACCEPT, severity="warning", source=sources.QSUB)
def join_eo(context: Context) -> Iterator[Finding]:
    """-j eo joins the other way round."""
    if context.request.join == "eo":
        yield Finding(
            "join_eo_puts_stdout_into_stderr_file",
            "warning",
            context.line("-j"),
            "-j eo joins the other way round: standard output goes into the error file (name.e123).",
            "-j oe",
        )


@rule("chunk_oversubscribed", severity="warning", source=sources.PBS_RESOURCES)
def oversubscribed(context: Context) -> Iterator[Finding]:
    """More threads than CPUs in a chunk."""
    for chunk in _chunks(context):
        threads, procs, ncpus = chunk.get("ompthreads"), chunk.get("mpiprocs", 1), chunk.get("ncpus", 1)
        if threads and "ncpus" in chunk and threads * procs > ncpus:
            yield Finding(
                "chunk_oversubscribed",
                "warning",
                _line_of_select(context),
                f"{procs} ranks with {threads} threads are {procs * threads} threads on {ncpus} CPUs of a chunk.",
                f"ompthreads={max(ncpus // procs, 1)}",
            )
            return


@rule("totals_or_one_chunk", note_verdict=SITE, severity="note", source=sources.PBS_RESOURCES)
def totals_or_chunk(context: Context) -> Iterator[Finding]:
    """Resources without select: totals of the job, or one chunk, as the site says."""
    if context.script.seen.totals_style:
        name, totals = context.profile.name, context.profile.totals
        here = "" if totals is None else f" At {name or 'this site'} they are {'totals' if totals else 'one chunk'}."
        yield Finding(
            "totals_or_one_chunk",
            "note",
            _line_of_totals(context),
            "ncpus, ngpus and mem without select are totals of the whole job where the site says so; "
            "plain PBS makes one "
            f"chunk on one host of them.{here}",
            "check your site's guide, or --site NAME",
        )


@rule("walltime_is_short", severity="note", source=sources.PBS_RESOURCES)
def small_walltime(context: Context) -> Iterator[Finding]:
    """A walltime without hours is short."""
    for directive in context.script.directives:
        match = (
            re.search(r"walltime=(\d+)(?::(\d\d))?(?=,|$)", directive.value or "") if directive.option == "-l" else None
        )
        if match and (int(match[1]) <= 168 if match[2] is None else int(match[1]) in (12, 24, 36, 48, 72, 96)):
            what = "seconds" if match[2] is None else "minutes:seconds"
            yield Finding(
                "walltime_is_short",
                "note",
                directive.line,
                f"'walltime={match[1]}{':' + match[2] if match[2] else ''}' is {what} in PBS.",
                "walltime=HH:MM:SS",
            )


LARGEST_IN_GB = 512  # more gigabytes are hardly meant


@rule("mem_unit_default_bytes", source=sources.PBS_RESOURCES)
def bare_size(context: Context) -> Iterator[Finding]:
    """A memory size without a unit is bytes."""
    for directive in context.script.directives:
        match = re.search(r"\bp?v?mem=(\d+)(?=[:,+]|$)", directive.value or "") if directive.option == "-l" else None
        if match:
            yield Finding(
                "mem_unit_default_bytes",
                "note" if int(match[1]) >= 2**20 else "warning",
                directive.line,
                f"{match[0]} has no unit: PBS counts it in bytes.",
                f"{match[0]}gb, or {match[0]}mb"
                if int(match[1]) <= LARGEST_IN_GB
                else f"{match[0]}mb"
                if int(match[1]) < 2**20
                else item(context.script.directives, directive.line, "-l", match[0], f"{match[0]}b"),
            )
