"""Writing #SBATCH lines, in long option names."""

from __future__ import annotations

import re
from dataclasses import replace

from workshop.jobs.dialects.slurm import SLURM
from workshop.jobs.extra import Extra
from workshop.jobs.model import JobRequest, Memory
from workshop.jobs.parts.directives import directive_line, quoted
from workshop.jobs.parts.units import HOUR, clock
from workshop.jobs.parts.written import (
    Written,
    cpus_of_task,
    dependencies,
    lose_extra,
    mail_kinds,
    size,
)

DAY = 24 * HOUR
# What Slurm says in other words, which a person writes: field -> how.
NEAREST = {
    "shell": "the first line of the script",
    "hosts": "--nodelist=NODE,…",
    "priority": "--nice=NUMBER, which lowers it",
    "description": "--comment=TEXT",
    "end_by": "--deadline=TIME",
}


def write(request: JobRequest, components: list[JobRequest]) -> Written:
    """#SBATCH lines; the components of a heterogeneous job are separated by ``#SBATCH hetjob``."""
    written = Written()
    components = components or _parts(request, written)
    for number, part in enumerate(components or [request]):
        if number:
            written.lines.append(directive_line(SLURM.magic, "hetjob"))
        options = _options(part, written)
        written.lines += [
            directive_line(SLURM.magic, f"--{name}", None if value is None else quoted(value))
            for name, value in options
        ]
    return written


def _parts(request: JobRequest, written: Written) -> list[JobRequest]:
    """PBS chunks that are not alike, as the components of a heterogeneous job; empty for a plain request."""
    chunks = request.extra.chunks or []
    if len(chunks) < 2:
        return []
    written.lose(
        "chunks that differ",
        "in Slurm they are the components of a heterogeneous job; srun needs --het-group",
        *(
            [
                "nodes",
                "tasks",
                "tasks_per_node",
                "cpus_per_task",
                "cpus_total",
                "gpus_per_node",
                "gpus_total",
                "mem",
                "components",
            ]
        ),
    )
    parts = []
    for number, chunk in enumerate(chunks):
        procs, ncpus, memory = chunk.get("mpiprocs", 1), chunk.get("ncpus", 1), chunk.get("mem")
        part = replace(
            request,
            nodes=chunk["count"],
            tasks=chunk["count"] * procs,
            tasks_per_node=procs,
            cpus_per_task=max(ncpus // max(procs, 1), 1),
            cpus_total=chunk["count"] * ncpus,
            gpus_per_node=chunk.get("ngpus", 0),
            gpus_total=chunk["count"] * chunk.get("ngpus", 0),
            mem=Memory(memory, "per_node") if memory else None,
            extra=replace(request.extra, chunks=None) if number == 0 else Extra(),
            place=request.place if number == 0 else None,
        )
        parts.append(part)
    return parts


Options = list[tuple[str, str | None]]


def _options(request: JobRequest, written: Written) -> Options:
    options: Options = []
    for name, value in (
        ("job-name", request.job_name),
        ("account", request.account),
        ("partition", re.sub(r"[,\s]+", ",", request.partition.strip()) if request.partition else None),
        ("qos", request.qos),
    ):
        if value is not None:
            options.append((name, value))
    _sizes(request, options)
    _gpus(request, options)
    if request.gpu_type and re.search(r"[A-Z].*_", request.gpu_type):
        written.lose(f"GPU type {request.gpu_type}", "as LSF names it; Slurm's names are the site's own", "gpu_type")
    _memory(request, options, written)
    if request.exclusive:
        options.append(("exclusive", request.extra.exclusive_mode))
    if request.time_s is not None:
        options.append(("time", "UNLIMITED" if request.time_s == 0 else _time(request.time_s)))
    _array(request, options)
    _files(request, options, written)
    _rest(request, options, written)
    lose_extra(request, written, KEPT | {"begin", "time_min_s", "gres"}, "Slurm", NEAREST)
    return options


def _time(seconds: int) -> str:
    days, rest = divmod(seconds, DAY)
    return f"{days}-{clock(rest)}" if days else clock(rest)


def _sizes(request: JobRequest, options: Options) -> None:
    most = request.extra.nodes_max
    if request.nodes is not None:
        options.append(("nodes", f"{request.nodes}-{most}" if most else str(request.nodes)))
    even = request.tasks_per_node and request.nodes and request.tasks in (None, request.nodes * request.tasks_per_node)
    if request.extra.tasks_per_gpu:
        options.append(("ntasks-per-gpu", str(request.extra.tasks_per_gpu)))
    elif even or (request.tasks_per_node and request.tasks is None) or (most and request.tasks_per_node):
        options.append(("ntasks-per-node", str(request.tasks_per_node)))
    elif request.tasks is not None:
        options.append(("ntasks", str(request.tasks)))
    if request.extra.cpus_per_gpu is not None:
        options.append(("cpus-per-gpu", str(request.extra.cpus_per_gpu)))
    elif (cpus := cpus_of_task(request)) not in (None, 1):
        options.append(("cpus-per-task", str(cpus)))


def _gpus(request: JobRequest, options: Options) -> None:
    kind = f"{request.gpu_type}:" if request.gpu_type and "," not in request.gpu_type else ""
    if request.extra.gpus_per_task:
        options.append(("gpus-per-task", f"{kind}{request.extra.gpus_per_task}"))
    elif request.gpus_per_node and request.nodes:
        options.append(("gpus-per-node", f"{kind}{request.gpus_per_node}"))
    elif request.gpus_total and not request.gpus_per_node:
        options.append(("gpus", f"{kind}{request.gpus_total}"))
    elif request.gpus_per_node:
        options.append(("gpus-per-node", f"{kind}{request.gpus_per_node}"))


def _memory(request: JobRequest, options: Options, written: Written) -> None:
    memory = request.mem
    if memory is None:
        return
    if memory.value is None:
        written.lose("memory without a unit", "only the LSF site knows the unit: write --mem with one", "mem")
    elif memory.scope in ("per_cpu", "per_gpu"):
        options.append((f"mem-{memory.scope.replace('_', '-')}", size(memory.value)))
    elif memory.scope == "per_task":
        cpus = request.cpus_per_task or 1
        options.append(("mem-per-cpu", size(-(-memory.value // cpus))))
        written.lose(
            f"{size(memory.value)} for each task", "Slurm counts memory for each CPU: divided by CPUs a task", "mem"
        )
    elif memory.scope == "total":
        nodes = request.nodes or 1
        options.append(("mem", size(-(-memory.value // nodes))))
        written.lose(f"{size(memory.value)} in all", f"Slurm counts memory for each node: divided by {nodes}", "mem")
    else:
        options.append(("mem", size(memory.value) if memory.value else "0"))
        if memory.scope is None:
            written.lose(
                f"memory {size(memory.value)}",
                "the LSF site decides whether this is for each host (written here) or for each slot",
                "mem",
            )


def _array(request: JobRequest, options: Options) -> None:
    if request.array:
        limit = f"%{request.array.max_running}" if request.array.max_running else ""
        options.append(("array", request.array.indices + limit))


def _files(request: JobRequest, options: Options, written: Written) -> None:
    array = request.array is not None
    for name, value in (("output", request.output), ("error", request.error)):
        pattern = slurm_pattern(value, array) if value else None
        if pattern is None and value:
            written.lose(f"{name} file {value}", "a variable or host in a file name: write it with %x, %j, %a", name)
        elif name == "error" and request.join == "oe":
            continue
        elif pattern:
            options.append((name, pattern))
    if request.extra.threads_per_task:
        written.change("ompthreads", "the script sets OMP_NUM_THREADS", "threads_per_task")
    if request.join == "eo":
        written.lose("-j eo", "Slurm joins into the output file; give --error and --output the same name", "join")
    if request.open_mode:
        options.append(("open-mode", request.open_mode))


def slurm_pattern(text: str, array: bool) -> str | None:
    """A log name of PBS or LSF in Slurm's patterns; None where it cannot be said."""
    text = re.sub(r"^[\w.-]+:", "", text)
    text = re.sub(r"\$\{?PBS_JOBID\}?", "%j", text)
    if "$" in text:
        return None
    text = text.replace("^array_index^", "%a").replace("%J", "%A" if array else "%j").replace("%I", "%a")
    return text + "%x.%j" if text.endswith("/") else text


def _rest(request: JobRequest, options: Options, written: Written) -> None:
    if request.constraint:
        if re.fullmatch(r"[\w|&\[\]*,:.-]+", request.constraint):
            options.append(("constraint", request.constraint.replace(":", "&")))
        else:
            written.lose(f"select[{request.constraint}]", "Slurm selects nodes by features: --constraint", "constraint")
    if request.signal:
        batch = "B:" if request.signal.target == "batch_shell" else ""
        options.append(("signal", f"{batch}{request.signal.name}@{request.signal.before_s or 60}"))
        if request.signal.target == "all":
            written.lose(
                "the signal goes to all processes", "Slurm signals the steps, or with B: the batch shell", "signal"
            )
    if request.requeue is not None:
        options.append(("requeue" if request.requeue else "no-requeue", None))
    _depend(request, options, written)
    kinds = mail_kinds(request.mail_type)
    if kinds:
        options.append(("mail-type", ",".join(kinds)))
    if request.mail_user:
        options.append(("mail-user", request.mail_user))
    if request.extra.chdir:
        options.append(("chdir", str(request.extra.chdir)))
    if request.extra.hold:
        options.append(("hold", None))
    _export(request, options)
    if request.extra.begin:
        written.lose(f"begin {request.extra.begin}", "the schedulers write dates differently: --begin=…", "begin")
    if request.extra.time_min_s:
        options.append(("time-min", _time(request.extra.time_min_s)))
    if request.extra.gres:
        options.append(("gres", ",".join(f"{name}:{count}" for name, count in request.extra.gres.items())))
    for name, value in sorted(request.extra.given().items()):
        if name not in KEPT:
            continue
        options.append((name.replace("_", "-"), None if value is True else str(value)))
    if request.place and request.place not in ("scatter", "pack", "free", "exclhost", "scatter:exclhost"):
        written.lose(
            f"place={request.place}", "Slurm's nodes are hosts; --exclusive where whole nodes are meant", "place"
        )


def _depend(request: JobRequest, options: Options, written: Written) -> None:
    if not request.dependency:
        return
    found = dependencies(request.dependency)
    if found is None and re.fullmatch(r"singleton|[\w:,?+]+", request.dependency):
        options.append(("dependency", request.dependency))
    elif found is None:
        written.lose(
            f"dependency {request.dependency}", "Slurm knows job ids only: --dependency=afterok:ID", "dependency"
        )
    else:
        options.append(("dependency", ",".join(":".join([kind, *jobs]) for kind, jobs in found)))


def _export(request: JobRequest, options: Options) -> None:
    """Slurm passes the whole environment on by default, so ALL need not be written."""
    text = request.export or ""
    extra = request.extra.variables
    if text.upper() in ("NONE", "ALL"):
        if extra:
            options.append(("export", f"ALL,{extra}"))
        elif text.upper() == "NONE":
            options.append(("export", "NONE"))
    elif text:
        options.append(("export", re.sub(r"\s*,\s*", ",", re.sub(r"(?i)^all\b", "ALL", text))))


KEPT = {
    "licenses",
    "nodelist",
    "exclude",
    "reservation",
    "comment",
    "gpu_bind",
    "hint",
    "threads_per_core",
    "distribution",
    "switches",
    "contiguous",
    "oversubscribe",
    "gres_flags",
    "wckey",
    "nice",
    "input",
    "prefer",
    "ntasks_per_core",
    "ntasks_per_socket",
    "cpu_freq",
    "mem_bind",
    "tmp",
    "spread_job",
    "overcommit",
    "mincpus",
}
