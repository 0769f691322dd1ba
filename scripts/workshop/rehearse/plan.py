"""What a rehearsal hands out: invented nodes with cores, GPUs and slots, made from a job's request."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from typing import Any

from workshop.jobs import JobRequest, Script

# Cores of a node where the scheduler chooses freely: those of the recorded PBS nodes (tests/records/README.md) and of
# the practice cluster.
FREE_NODE_CPUS = 8


@dataclass
class Node:
    """One invented node.

    Attributes:
        name: host name. slots: tasks that the scheduler counts there (Slurm tasks, PBS mpiprocs, LSF slots).
        cpus: cores of the job there. gpus: numbers of its GPUs there. threads: PBS ompthreads.
    """

    name: str = ""
    slots: int = 1
    cpus: int = 1
    gpus: list[int] = field(default_factory=list)
    threads: int | None = None


class CannotRehearse(Exception):
    """The script asks for something that a rehearsal cannot do; the message says what and what to do."""


def chunks_of(script: Script) -> list[dict[str, str]]:
    """PBS chunks in order, one dictionary a chunk: ``select=1:ncpus=2+2:ncpus=4`` gives three.

    Reads ``select=`` and the older ``nodes=N:ppn=M``; the first ``select`` wins, as in OpenPBS (tests/records/pbs/05).
    """
    for value in script.values("-l"):
        match = re.search(r"(?:^|,)(select|nodes)=([^,\s]+)", value or "")
        if match:
            return [chunk for part in match[2].split("+") for chunk in _chunk_copies(part)]
    return []


def _chunk_copies(part: str) -> list[dict[str, str]]:
    head, _, rest = part.partition(":")
    count, fields = (int(head), rest) if head.isdigit() else (1, part)
    chunk = dict(item.split("=", 1) for item in fields.split(":") if "=" in item)
    if "ppn" in chunk:
        chunk["ncpus"] = chunk["mpiprocs"] = chunk.pop("ppn")
    return [dict(chunk) for _ in range(count)]


def nodes_of(script: Script) -> list[Node]:
    """The nodes of a job (without names), as its scheduler would hand them out on an empty cluster."""
    if script.components:
        raise CannotRehearse(
            "This is a heterogeneous job (several components): rehearse each component as its own script."
        )
    if script.scheduler == "slurm":
        return _slurm_nodes(script.request)
    if script.scheduler == "lsf":
        return _lsf_nodes(script.request)
    return _pbs_nodes(script)


def _slurm_nodes(request: JobRequest) -> list[Node]:
    per_node, cpus = request.tasks_per_node, request.cpus_per_task or 1
    nodes = request.nodes or (math.ceil(request.tasks / per_node) if request.tasks and per_node else 1)
    tasks = request.tasks or nodes * (per_node or 1)
    counts = _spread(tasks, nodes)
    if per_node and tasks <= nodes * per_node:
        counts = [per_node] * nodes  # also of fewer tasks: a node is granted for as many as may run there
    elif not request.exclusive:
        counts = _packed(counts, per_node or FREE_NODE_CPUS // cpus)
    gpus = _gpus_per_node(request, nodes)
    least = FREE_NODE_CPUS if request.exclusive else 1  # --exclusive grants all cores that a node has
    return [Node(slots=count, cpus=max(least, count * cpus), gpus=list(range(gpus))) for count in counts]


def _packed(even: list[int], room: int) -> list[int]:
    """Tasks of each node where only their sum is asked for: Slurm fills the first ones and leaves one for each other.

    Compared with Slurm 22.05.8 in tests/rehearse/test_srun_against_slurm.py (8 cores a node: 7 and 1 of 8 tasks).

    Args:
        even: as many tasks, evenly. room: tasks for which a node has cores; more where all would not fit otherwise.
    """
    tasks, room, counts = sum(even), max(room, even[0]), []
    for others in reversed(range(len(even))):
        counts.append(min(room, tasks - others))
        tasks -= counts[-1]
    return counts


def _spread(tasks: int, nodes: int) -> list[int]:
    """Tasks of each node: even, the first ones take what is over."""
    if tasks < nodes:
        raise CannotRehearse(f"{tasks} tasks cannot use {nodes} nodes: ask for at least one task a node.")
    return [tasks // nodes + (1 if index < tasks % nodes else 0) for index in range(nodes)]


def _gpus_per_node(request: JobRequest, nodes: int) -> int:
    if request.gpus_per_node is not None:
        return request.gpus_per_node
    return math.ceil((request.gpus_total or 0) / nodes)


def _lsf_nodes(request: JobRequest) -> list[Node]:
    slots = request.tasks or 1
    nodes = request.nodes or (math.ceil(slots / request.tasks_per_node) if request.tasks_per_node else 1)
    counts = _fill(slots, request.tasks_per_node) if request.tasks_per_node else _spread(slots, nodes)
    gpus = _gpus_per_node(request, len(counts))
    return [Node(slots=count, cpus=count * (request.cpus_per_task or 1), gpus=list(range(gpus))) for count in counts]


def _fill(slots: int, per_host: int) -> list[int]:
    """Slots of each host under ``span[ptile=per_host]``: full hosts, the last takes the rest."""
    full, rest = divmod(slots, per_host)
    return [per_host] * full + ([rest] if rest else [])


def _pbs_nodes(script: Script) -> list[Node]:
    request = script.request
    chunks = chunks_of(script) or [{"ncpus": str(request.cpus_total or request.cpus_per_task or 1)}]
    nodes = [_pbs_node(chunk, script.scheduler) for chunk in chunks]
    if "scatter" in (request.place or "") or script.scheduler == "torque" or len(nodes) == 1:
        return nodes
    return [_together(node) for node in _filled(nodes)]


def _filled(chunks: list[Node]) -> list[list[Node]]:
    """Chunks without place=scatter: an empty cluster puts on a node as many as fit (tests/records/pbs/01, pack)."""
    filled: list[list[Node]] = []
    for chunk in chunks:
        if not filled or sum(placed.cpus for placed in filled[-1]) + chunk.cpus > FREE_NODE_CPUS:
            filled.append([])
        filled[-1].append(chunk)
    return filled


def _together(chunks: list[Node]) -> Node:
    """One node with several chunks; what a task sees of cores and threads is the first chunk's."""
    gpus = sum(len(chunk.gpus) for chunk in chunks)
    first = chunks[0]
    return Node(
        slots=sum(chunk.slots for chunk in chunks), cpus=first.cpus, gpus=list(range(gpus)), threads=first.threads
    )


def _pbs_node(chunk: dict[str, str], scheduler: str) -> Node:
    cpus = int(chunk.get("ncpus", "1"))
    gpus = int(chunk.get("ngpus", chunk.get("gpus", "0") if scheduler == "torque" else "0"))
    threads = int(chunk["ompthreads"]) if "ompthreads" in chunk else None
    return Node(slots=int(chunk.get("mpiprocs", "1")), cpus=cpus, gpus=list(range(gpus)), threads=threads)


def describe(script: Script, nodes: list[Node]) -> str:
    """One line for people: what the job asks for."""
    request = script.request
    words: list[Any] = [
        f"{len(nodes)} node{'s' if len(nodes) > 1 else ''}",
        f"{nodes[0].slots} {'slot' if script.scheduler == 'lsf' else 'task'}(s) a node",
        f"{nodes[0].cpus} core(s) a node",
        f"{len(nodes[0].gpus)} GPU(s) a node",
    ]
    if request.mem and request.mem.value is not None:
        scope = (request.mem.scope or "as the site counts").replace("_", " ")
        words.append(f"memory {request.mem.value / 2**20:.0f} MiB {scope}")
    words.append("walltime " + (clock(request.time_s) if request.time_s else "as the site decides"))
    if request.array:
        words.append(f"array {request.array.indices} ({request.array.count} tasks)")
    return ", ".join(words)


def clock(seconds: float) -> str:
    """Seconds as H:MM:SS."""
    whole = math.ceil(seconds)
    return f"{whole // 3600}:{whole % 3600 // 60:02d}:{whole % 60:02d}"
