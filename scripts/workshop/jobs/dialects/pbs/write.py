"""Writing #PBS lines for PBS Pro and OpenPBS. There are no comments on them: qsub would refuse the script."""

from __future__ import annotations

import re

from workshop.jobs.dialects.pbs import PBS
from workshop.jobs.model import JobRequest
from workshop.jobs.parts.directives import directive_line, quoted
from workshop.jobs.parts.units import HOUR, MINUTE, clock
from workshop.jobs.parts.written import (
    CannotWrite,
    Written,
    cpus_of_task,
    dependencies,
    lose_cpus_per_gpu,
    lose_extra,
    mail_kinds,
    size,
    tasks_of_nodes,
)

NAME = re.compile(r"[A-Za-z0-9_+\-.]+")
# What PBS says in other words, which a person writes: field -> how.
NEAREST = {
    "begin": "-a [[[[CC]YY]MM]DD]hhmm",
    "reservation": "-q QUEUE_OF_THE_RESERVATION",
    "nodelist": "host=NAME in a chunk of select",
    "hosts": "host=NAME in a chunk of select",
}


def write(request: JobRequest, components: list[JobRequest]) -> Written:
    """#PBS lines with ``select`` and ``place``.

    Raises:
        CannotWrite: a GPU count that no chunk can carry.
    """
    written = Written()
    _names(request, written)
    parts = components or [request]
    chunks = "+".join(chunk for part in parts for chunk in _chunks(part, written))
    if chunks:
        _line(written, "-l", f"select={chunks}")
        _place(request, parts, written)
    _time(max((part.time_s or 0 for part in parts), default=0), request, written)
    if len(parts) > 1:
        written.lose(
            "the parts of a heterogeneous job",
            "PBS has one queue and one walltime for all chunks: those of the first part and the longest time",
            "components",
            "partition",
            "time_s",
            "gpus_per_node",
            "nodes",
            "tasks",
            "cpus_total",
            "gpus_total",
        )
    _array(request, written)
    _files(request, written)
    _rest(request, written)
    lose_extra(request, written, {"shell", "keep", "priority", "attributes", "resources"}, "PBS", NEAREST)
    return written


def _line(written: Written, option: str, value: str | None = None) -> None:
    written.lines.append(directive_line(PBS.magic, option, value))


def _names(request: JobRequest, written: Written) -> None:
    if request.job_name:
        name = re.sub(r"[^A-Za-z0-9_+\-.]", "_", request.job_name)
        if name != request.job_name:
            written.lose(f"job name {request.job_name}", "PBS refuses this character in a name", "job_name")
        _line(written, "-N", name)
    if request.account:
        _line(written, "-A", quoted(request.account))
    if request.partition:
        queues = re.split(r"[,\s]+", request.partition.strip())
        if len(queues) > 1:
            written.lose(f"partitions {', '.join(queues)}", "PBS takes one queue", "partition")
        _line(written, "-q", queues[0])


def _chunks(request: JobRequest, written: Written) -> list[str]:
    """The chunks of one request; empty where nothing is asked for."""
    if request.nodes is None and request.tasks is None and request.cpus_total is None:
        return []
    if original := _as_they_were(request):
        return original
    if request.gpu_type:
        written.lose(
            f"GPU type {request.gpu_type}", "the name of the resource is the site's own (often a queue)", "gpu_type"
        )
    if request.nodes is None and (request.tasks or 1) > 1:
        written.lose(
            "tasks placed as the scheduler likes",
            "PBS is asked for one chunk for each task, which may share hosts",
            "nodes",
            "tasks_per_node",
        )
        return _spread(request, written)
    if request.extra.nodes_max or request.extra.slots_max:
        written.lose(
            "a range of nodes", "PBS takes a fixed number of chunks: the least is written", "nodes_max", "slots_max"
        )
    lose_cpus_per_gpu(request, written, "PBS")
    found = []
    for count, tasks in tasks_of_nodes(request):
        cpus = tasks * (cpus_of_task(request) or 1)
        chunk = f"{count}:ncpus={cpus}:mpiprocs={tasks}{_threads_part(request)}"
        found.append(chunk + _gpu_part(request, tasks, written) + _memory_part(request, cpus, tasks, written))
    return found


def _as_they_were(request: JobRequest) -> list[str] | None:
    """Chunks that came from a PBS script and are not alike."""
    chunks = request.extra.chunks or []
    if len(chunks) < 2:
        return None
    found = []
    for chunk in chunks:
        items = [
            f"{key}={size(value, 'b').lower() if key == 'mem' else value}"
            for key, value in chunk.items()
            if key != "count"
        ]
        found.append(":".join([str(chunk["count"]), *items]))
    return found


def _spread(request: JobRequest, written: Written) -> list[str]:
    cpus = cpus_of_task(request) or 1
    per_task = request.extra.gpus_per_task or 0
    if request.gpus_per_node and not per_task:
        raise CannotWrite(
            f"{request.gpus_per_node} GPUs on each node, but the script does not say how many nodes: "
            "add the number of nodes "
            "(Slurm: --nodes, LSF: span[ptile=…]) and translate again."
        )
    if request.gpus_total and not per_task:
        per_task, rest = divmod(request.gpus_total, request.tasks or 1)
        if rest:
            raise CannotWrite(
                f"{request.gpus_total} GPUs do not divide over {request.tasks} tasks: give --nodes and --gpus-per-node."
            )
    gpus = f":ngpus={per_task}" if per_task else ""
    cores = f"ncpus={cpus}:mpiprocs=1{_threads_part(request)}"
    return [f"{request.tasks}:{cores}{gpus}{_memory_part(request, cpus, 1, written)}"]


def _gpu_part(request: JobRequest, tasks: int, written: Written) -> str:
    count = request.gpus_per_node
    if count is None and request.gpus_total:
        count, rest = divmod(request.gpus_total, request.nodes or 1)
        if rest:
            written.lose(f"{request.gpus_total} GPUs in all", "PBS counts GPUs in each chunk: rounded up", "gpus_total")
            count += 1
    if count is None and request.extra.gpus_per_task:
        count = request.extra.gpus_per_task * tasks
    return f":ngpus={count}" if count else ""


def _threads_part(request: JobRequest) -> str:
    """Without ompthreads PBS sets OMP_NUM_THREADS to all cores of the chunk, for each of its processes."""
    threads = request.extra.threads_per_task
    return f":ompthreads={threads}" if threads else ""


def _memory_part(request: JobRequest, cpus: int, tasks: int, written: Written) -> str:
    memory = request.mem
    if memory is None:
        return ""
    if not memory.value:
        what = "all the memory of the node" if memory.value == 0 else "memory without a unit"
        written.lose(what, "PBS wants a number: mem=…gb in select, or place=exclhost", "mem")
        return ""
    factor = {"per_cpu": cpus, "per_task": tasks, "per_gpu": request.gpus_per_node or 1}.get(memory.scope or "", 1)
    value = memory.value * factor
    if memory.scope == "total":
        value = -(-memory.value // (request.nodes or 1))
    if memory.scope != "per_node":
        written.lose(
            f"memory {size(memory.value)} {memory.scope or ''}".strip(), "PBS counts memory in each chunk", "mem"
        )
    return f":mem={size(value, 'b').lower()}"


def _place(request: JobRequest, parts: list[JobRequest], written: Written) -> None:
    """Slurm's nodes and LSF's hosts are separate hosts; PBS's chunks are only with scatter."""
    exclusive = any(part.exclusive for part in parts)
    if request.place:
        _line(written, "-l", f"place={request.place}")
        return
    several = sum(part.nodes or 1 for part in parts) > 1 and request.nodes is not None
    words = (["scatter"] if several else []) + (["exclhost"] if exclusive else [])
    if words:
        _line(written, "-l", f"place={':'.join(words)}")


def _time(seconds: int, request: JobRequest, written: Written) -> None:
    if request.time_s == 0:
        written.lose("no time limit", "PBS has the queue's limit; ask for a walltime", "time_s")
    elif seconds:
        _line(written, "-l", f"walltime={clock(seconds)}")


def _array(request: JobRequest, written: Written) -> None:
    array = request.array
    if array is None:
        return
    limit = f"%{array.max_running}" if array.max_running else ""
    if array.step and array.count > 1:
        step = f":{array.step}" if array.step > 1 else ""
        _line(written, "-J", f"{array.first}-{array.last}{step}{limit}")
    else:
        written.lose(f"array {array.indices}", "PBS takes one range X-Y[:Z] of at least two indices", "array")


def _files(request: JobRequest, written: Written) -> None:
    join = request.join
    for letter, name, value in (("-o", "output", request.output), ("-e", "error", request.error)):
        if not value:
            continue
        plain = (
            value.replace("%x", request.job_name or "").replace("%a", "^array_index^").replace("%I", "^array_index^")
        )
        if "%" in plain or "$" in plain or ("%x" in value and not request.job_name):
            written.lose(
                f"{name} file {value}", "PBS knows no job id in file names; its own are NAME.oID and NAME.eID", name
            )
        else:
            _line(written, letter, quoted(plain))
    if join is None and request.error is None and request.extra.chunks is None:
        join = "oe"
    if join:
        _line(written, "-j", join)
    if request.open_mode == "truncate":
        written.lose("the log is emptied at the start", "PBS appends when a job runs again", "open_mode")


def _rest(request: JobRequest, written: Written) -> None:
    if request.requeue is not None:
        _line(written, "-r", "y" if request.requeue else "n")
    _depend(request, written)
    letters = {"BEGIN": "b", "END": "e", "FAIL": "a"}
    kinds = [letters[kind] for kind in mail_kinds(request.mail_type)]
    if kinds:
        _line(written, "-m", "".join(kinds))
    if request.mail_user:
        _line(written, "-M", request.mail_user)
    if (request.export or "").upper() == "ALL":
        _line(written, "-V")
    elif request.export and request.export.upper() != "NONE":
        variables = re.sub(r"(?i)^all\s*,?\s*", "", request.export)
        if re.match(r"(?i)all\b", request.export):
            _line(written, "-V")
        if variables:
            _line(written, "-v", quoted(variables))
    if request.extra.variables:
        _line(written, "-v", quoted(str(request.extra.variables)))
    if request.extra.hold:
        _line(written, "-h")
    for letter, key in (("-S", "shell"), ("-k", "keep"), ("-p", "priority")):
        if value := getattr(request.extra, key):
            _line(written, letter, quoted(str(value)))
    for option, key in (("-W", "attributes"), ("-l", "resources")):
        for name, value in (getattr(request.extra, key) or {}).items():
            _line(written, option, name if value is True else f"{name}={value}")
    if request.extra.gpus_per_task:
        written.lose(f"{request.extra.gpus_per_task} GPU for each task", "PBS binds no GPUs to ranks", "gpus_per_task")
    _lost(request, written)


def _depend(request: JobRequest, written: Written) -> None:
    found = dependencies(request.dependency)
    if found is None:
        written.lose(f"dependency {request.dependency}", "PBS knows job ids only: -W depend=afterok:ID", "dependency")
    elif found:
        text = ",".join(":".join([kind, *jobs]) for kind, jobs in found)
        _line(written, "-W", f"depend={text}")


def _lost(request: JobRequest, written: Written) -> None:
    if request.qos:
        written.lose(f"QOS {request.qos}", "PBS has no QOS; sites use queues for it", "qos")
    if request.constraint:
        written.lose(
            f"constraint {request.constraint}", "node features are a site's own resources in PBS", "constraint"
        )
    if request.signal:
        seconds = request.signal.before_s or MINUTE
        ahead = f"{seconds // MINUTE} min" if seconds < HOUR else clock(seconds)
        written.lose(
            f"signal {request.signal.name} {ahead} before the end",
            "PBS sends TERM at the end and KILL some seconds later: save regularly, or start a timer in the script",
            "signal",
        )
    if request.extra.chdir:
        written.change(f"start folder {request.extra.chdir}", "the script goes there: cd", "chdir")
