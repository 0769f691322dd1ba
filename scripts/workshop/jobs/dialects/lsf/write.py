"""Writing #BSUB lines for IBM Spectrum LSF 10.1."""

from __future__ import annotations

import re

from workshop.jobs.dialects.lsf import LSF
from workshop.jobs.model import Array, JobRequest
from workshop.jobs.parts.directives import directive_line, quoted
from workshop.jobs.parts.units import HOUR, MINUTE
from workshop.jobs.parts.written import (
    LSF_CONDITION,
    CannotWrite,
    Written,
    cpus_of_task,
    dependencies,
    lose_cpus_per_gpu,
    lose_extra,
    mail_kinds,
    size,
)


def write(request: JobRequest, components: list[JobRequest]) -> Written:
    """#BSUB lines.

    Raises:
        CannotWrite: parts of a job that differ from each other.
    """
    if components or len(request.extra.chunks or []) > 1:
        raise CannotWrite(
            "The job has parts that differ (a heterogeneous job, or different chunks). LSF's compound requirements "
            '(-R "1*{…}+2*{…}") say something close, but not the same for time and queue: write them '
            "by hand, or submit "
            "two jobs."
        )
    written = Written()
    _names(request, written)
    _sizes(request, written)
    _gpus(request, written)
    _memory(request, written)
    _time(request, written)
    _files(request, written)
    _rest(request, written)
    lose_extra(request, written, KEPT, "LSF", NEAREST)
    return written


def _line(written: Written, option: str, value: str | None = None) -> None:
    written.lines.append(directive_line(LSF.magic, option, value))


def _names(request: JobRequest, written: Written) -> None:
    name = request.job_name or ""
    array = request.array
    if array:
        limit = f"%{array.max_running}" if array.max_running else ""
        _line(written, "-J", f'"{name}[{_indices(array, written)}]{limit}"')
    elif name:
        _line(written, "-J", quoted(name))
    if request.account:
        _line(written, "-P", quoted(request.account))
    if request.partition:
        queues = request.partition.replace(",", " ")
        _line(written, "-q", quoted(queues))


def _indices(array: Array, written: Written) -> str:
    """The indices as LSF takes them: from 1 on."""
    if array.first > 0:
        return array.indices
    what = f"array {array.indices}"
    written.lose(what, "LSF's indices begin at 1: each is one more, the body takes one off", "array")
    spans = [re.fullmatch(r"(\d+)(?:-(\d+))?(:\d+)?", part.strip()) for part in array.indices.split(",")]
    if None in spans:
        raise CannotWrite(f"{what}: LSF's indices begin at 1, and this list cannot be moved. Write it from 1 on.")
    return ",".join(_one_more(one) for one in spans)


def _one_more(span: re.Match[str]) -> str:
    last = f"-{int(span[2]) + 1}" if span[2] else ""
    return f"{int(span[1]) + 1}{last}{span[3] or ''}"


def _sizes(request: JobRequest, written: Written) -> None:
    tasks, nodes = request.tasks, request.nodes
    cores = 1 if request.extra.affinity else cpus_of_task(request) or 1
    most = request.extra.slots_max or _most_slots(request, cores)
    if tasks is None and nodes is not None and request.cpus_total is None:
        _line(written, "-nnodes", str(nodes))
    elif tasks is not None:
        _line(written, "-n", f"{tasks * cores},{most}" if most else str(tasks * cores))
    elif request.cpus_total is not None:
        _line(written, "-n", str(request.cpus_total))
        written.lose(
            f"{request.cpus_total} CPUs without a number of tasks", "LSF counts slots: one slot for each CPU", "tasks"
        )
    if tasks is not None and cores > 1:
        written.change(
            f"{tasks} tasks of {cores} cores",
            f"LSF counts a slot for each core: -n {tasks * cores}; the launch line says how many processes there are",
            "tasks",
            "tasks_per_node",
            "cpus_per_task",
            "gpus_per_task",
        )
    _span(request, written, cores, most)
    lose_cpus_per_gpu(request, written, "LSF")
    if request.extra.affinity:
        _line(written, "-R", f'"affinity[{request.extra.affinity}]"')
    if request.extra.requirements:
        _line(written, "-R", f'"{request.extra.requirements}"')
    if request.extra.order:
        _line(written, "-R", f'"order[{request.extra.order}]"')


def _most_slots(request: JobRequest, cores: int) -> int | None:
    most = request.extra.nodes_max
    if most and request.tasks_per_node:
        return most * request.tasks_per_node * cores
    return None


def _span(request: JobRequest, written: Written, cores: int, most: int | None) -> None:
    """Slots of a host: a slot for each core, which is how nearly all sites count."""
    tasks, nodes, each = request.tasks, request.nodes, request.tasks_per_node
    if tasks is None:
        return
    if nodes is None:
        if cores > 1:
            written.lose(
                "tasks placed as the scheduler likes",
                f"span[ptile={cores}] keeps the cores of a task together, and so puts each task on a host of its own",
                "nodes",
                "tasks_per_node",
            )
            _line(written, "-R", f'"span[ptile={cores}]"')
        return
    if nodes == 1 and not most:
        if tasks * cores > 1:
            _line(written, "-R", '"span[hosts=1]"')
        return
    if each is None or (each * nodes != tasks and not most):
        each = -(-tasks // nodes)
        if each * nodes != tasks:
            written.lose(
                f"{tasks} tasks on {nodes} nodes",
                f"span[ptile={each * cores}] fills hosts one after the other, and may need fewer",
                "nodes",
                "tasks_per_node",
            )
    _line(written, "-R", f'"span[ptile={each * cores}]"')


def _gpus(request: JobRequest, written: Written) -> None:
    kind = f":gmodel={request.gpu_type}" if request.gpu_type else ""
    per_task, each = request.extra.gpus_per_task, _gpus_of_host(request)
    if each:
        per_task = None
    mode = request.extra.gpu_mode
    kind += f":mode={mode}" if mode and mode != "shared" else ""
    if per_task:
        _line(written, "-gpu", f'"num={per_task}/task{kind}"')
    elif each:
        _line(written, "-gpu", f'"num={each}{kind}"')
    elif request.gpus_total:
        nodes = request.nodes or 0
        if not nodes or request.gpus_total % nodes:
            raise CannotWrite(
                f"{request.gpus_total} GPUs in all: LSF counts GPUs on each host, and the script does "
                "not say how many hosts, or "
                "they do not divide. Add the number of nodes and of GPUs on each, and translate again."
            )
        _line(written, "-gpu", f'"num={request.gpus_total // nodes}{kind}"')


def _gpus_of_host(request: JobRequest) -> int | None:
    """GPUs of each host; None where they have to be said for each task.

    ``num=N/task`` counts slots, which are cores here: N for each of several cores would be too many.
    """
    per_task, cores = request.extra.gpus_per_task, 1 if request.extra.affinity else cpus_of_task(request) or 1
    if per_task and cores == 1 and not request.tasks_per_node:
        return None
    if request.gpus_per_node or not per_task or cores == 1:
        return request.gpus_per_node
    if request.nodes is None:
        return per_task  # each task is put on a host of its own
    return per_task * -(-(request.tasks or request.nodes) // request.nodes)


def _memory(request: JobRequest, written: Written) -> None:
    memory = request.mem
    limit = request.extra.mem_limit
    if limit:
        _line(written, "-M", limit["written"])
    if memory is None:
        return
    if memory.value is None:
        _line(written, "-R", f'"rusage[mem={request.extra.mem_request["written"]}]"')
        return
    if memory.value == 0:
        written.lose("all the memory of the node", "LSF wants a number, or -x for the whole host", "mem")
        return
    cores = 1 if request.extra.affinity else cpus_of_task(request) or 1
    factor = {"per_gpu": request.gpus_per_node or 1}.get(memory.scope or "", 1)
    part = cores if memory.scope == "per_task" else 1
    method = {"per_node": "/host", "per_gpu": "/host", "per_task": "/task", "per_cpu": "/task", "total": "/job"}
    if memory.scope in ("per_cpu", "per_gpu"):
        written.lose(
            f"memory {size(memory.value)} {memory.scope}", "LSF counts memory for each host, task or job", "mem"
        )
    text = size(-(-memory.value * factor // part), "B") + method.get(memory.scope or "", "")
    _line(written, "-R", f'"rusage[mem={text}]"')


def _time(request: JobRequest, written: Written) -> None:
    if request.time_s == 0:
        written.lose("no time limit", "LSF has the queue's limit; ask for a run limit", "time_s")
    elif request.time_s is not None:
        minutes = -(-request.time_s // MINUTE)
        if minutes * MINUTE != request.time_s:
            written.lose(f"{request.time_s % MINUTE} seconds of the time", "-W counts minutes: rounded up", "time_s")
        _line(written, "-W", f"{minutes * MINUTE // HOUR}:{minutes % 60:02}")


def _files(request: JobRequest, written: Written) -> None:
    overwrite = "o" if request.open_mode == "truncate" else ""
    for letter, name, value in (("-o", "output", request.output), ("-e", "error", request.error)):
        if not value or (name == "error" and request.join == "oe"):
            continue
        pattern = _pattern(value, request)
        if pattern is None:
            written.lose(f"{name} file {value}", "LSF knows %J (job) and %I (array index) in file names", name)
        else:
            _line(written, letter + overwrite, quoted(pattern))
    if not request.output or _pattern(request.output, request) is None:
        name = request.job_name or "job"
        index = "_%I" if request.array else ""
        _line(
            written, "-o", f"{quoted(name)}-%J{index}.out" if re.fullmatch(r"[\w.-]+", name) else f"job-%J{index}.out"
        )
    if request.extra.threads_per_task:
        written.change("ompthreads", "the script sets OMP_NUM_THREADS", "threads_per_task")
    if request.join == "eo":
        written.lose("-j eo", "LSF joins into the output file when -e is absent", "join")


def _pattern(text: str, request: JobRequest) -> str | None:
    text = re.sub(r"^[\w.-]+:", "", text)
    text = re.sub(r"\$\{?PBS_JOBID\}?", "%J", text)
    text = text.replace("%x", request.job_name or "job").replace("^array_index^", "%I").replace("%a", "%I")
    # Slurm's %j differs for each element of an array, LSF's %J does not.
    text = text.replace("%j", "%J.%I" if request.array and "%I" not in text else "%J").replace("%A", "%J")
    text += f"{request.job_name or 'job'}-%J.out" if text.endswith("/") else ""
    return None if re.search(r"%[^JI]|\$", text) else text


def _rest(request: JobRequest, written: Written) -> None:
    if request.exclusive:
        _line(written, "-x")
    if request.requeue is not None:
        _line(written, "-r" if request.requeue else "-rn")
    _signal(request, written)
    found = dependencies(request.dependency)
    if found is None:
        written.lose(
            f"dependency {request.dependency}", "LSF's -w has done(), ended(), exit(), started()", "dependency"
        )
    elif found:
        text = " && ".join(f"{LSF_CONDITION[kind]}({job})" for kind, jobs in found for job in jobs)
        _line(written, "-w", f'"{text}"')
    kinds = {"BEGIN": "-B", "END": "-N", "FAIL": "-Ne"}
    for kind in mail_kinds(request.mail_type):
        _line(written, kinds[kind])
    if request.mail_user:
        _line(written, "-u", request.mail_user)
    _export(request, written)
    if request.extra.hold:
        _line(written, "-H")
    if request.extra.chdir:
        _line(written, "-cwd", quoted(str(request.extra.chdir)))
    for option, key in KEPT_OPTIONS.items():
        if value := getattr(request.extra, key):
            _line(written, option, quoted(str(value)))
    if request.qos:
        written.lose(f"QOS {request.qos}", "LSF has no QOS; sites use queues, -sla or -app for it", "qos")
    if request.constraint:
        _constraint(request, written)
    placed = re.sub(r":?\bexcl(host)?$", "", request.place or "")  # -x says that
    if placed not in ("", "pack", "free", "scatter"):
        written.lose(f"place={request.place}", "LSF places slots with span[…]", "place")


def _signal(request: JobRequest, written: Written) -> None:
    signal = request.signal
    if signal is None:
        return
    minutes = -(-(signal.before_s or MINUTE) // MINUTE)
    _line(written, "-wa", signal.name)
    _line(written, "-wt", str(minutes))
    if signal.target != "all" or minutes * MINUTE != signal.before_s:
        written.lose(
            f"signal {signal.name} {signal.before_s} s before the end, to {signal.target.replace('_', ' ')}",
            "LSF counts minutes and signals all processes of the job",
            "signal",
        )


def _export(request: JobRequest, written: Written) -> None:
    text = request.export or ""
    if text.upper() == "NONE":
        _line(written, "-env", "none")
    elif text and text.upper() != "ALL":
        _line(written, "-env", quoted(text if re.match(r"(?i)(all|none)\b", text) else f"all, {text}"))
    elif request.extra.variables:
        _line(written, "-env", quoted(f"all, {request.extra.variables}"))


def _constraint(request: JobRequest, written: Written) -> None:
    if re.search(r"[=<>]", request.constraint or ""):
        _line(written, "-R", f'"select[{request.constraint}]"')
    else:
        written.lose(f"constraint {request.constraint}", 'LSF selects hosts by resources: -R "select[…]"', "constraint")


KEPT_OPTIONS = {
    "-G": "user_group",
    "-app": "application",
    "-sla": "service_class",
    "-U": "reservation",
    "-m": "hosts",
    "-Q": "requeue_exit_codes",
    "-alloc_flags": "alloc_flags",
}
KEPT = {*KEPT_OPTIONS.values(), "requirements", "mem_limit", "chdir", "gpu_mode", "order", "affinity"}
# What LSF says in other words, which a person writes: field -> how.
NEAREST = {
    "begin": "-b [[month:]day:]hour:minute",
    "exclude": "-R \"select[hname!='HOST']\"",
    "nodelist": '-m "HOST …"',
    "tmp": '-R "select[tmp>MB] rusage[tmp=MB]"',
    "comment": '-Jd "TEXT"',
    "shell": "-L SHELL, or the first line of the script",
    "priority": "-sp NUMBER",
    "licenses": '-R "rusage[LICENSE=NUMBER]"',
    "input": "-i FILE",
}
