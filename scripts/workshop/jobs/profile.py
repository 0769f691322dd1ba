"""What a checker must know about a site; ``workshop.sites`` makes these from its files."""

from __future__ import annotations

import re
from dataclasses import dataclass, field


@dataclass(frozen=True)
class NodeFacts:
    """One kind of node of a site; None = not known.

    Attributes:
        name: as the site calls it. cores, gpus: of one node. gpu_type: as the scheduler spells it.
        memory: bytes. partition: where it is; None = in several, or not known.
    """

    name: str
    cores: int | None = None
    gpus: int = 0
    gpu_type: str | None = None
    memory: int | None = None
    partition: str | None = None


@dataclass
class Profile:
    """Facts of one site; None or empty = not known, and then nothing is said about it.

    Attributes:
        name: the site.
        partitions: partition or queue -> longest walltime in seconds (None = not known or no limit).
        scheduler: ``slurm``, ``pbs`` or ``lsf``, where it is known.
        partition_gpu_types: partition -> GPU types that it has, as the scheduler spells them.
        gpu_types: all GPU types of the site.
        complete: True where ``partitions`` lists every one, so that another name is a mistake.
        gpus_per_node, cpus_per_node: of the usual node.
        totals: PBS: ncpus, ngpus and mem are totals of the job, not of a chunk.
        memory_per_task: LSF: rusage[mem] counts for each task (RESOURCE_RESERVE_PER_TASK).
        memory_unit: LSF: unit of bare numbers, ``K``, ``M`` or ``G`` (LSF_UNIT_FOR_LIMITS).
        parse_script: LSF: ``bsub script`` reads the directives (LSB_BSUB_PARSE_SCRIPT).
        nodes: the kinds of nodes; empty = not known. whole_nodes: every job gets whole nodes, with all their GPUs.
        longest: seconds after which the site ends any job.
        slurm_version: such as ``22.05``.
        log_append: Slurm: JobFileAppend=1, so that a requeued job appends to its log.
    """

    name: str = ""
    partitions: dict[str, int | None] = field(default_factory=dict)
    partition_gpu_types: dict[str, list[str]] = field(default_factory=dict)
    gpu_types: list[str] = field(default_factory=list)
    complete: bool = False
    gpus_per_node: int | None = None
    cpus_per_node: int | None = None
    totals: bool | None = None
    memory_per_task: bool | None = None
    memory_unit: str | None = None
    parse_script: bool | None = None
    slurm_version: str | None = None
    log_append: bool | None = None
    scheduler: str | None = None
    nodes: list[NodeFacts] = field(default_factory=list)
    whole_nodes: bool = False
    longest: int | None = None

    def has_slurm(self, version: str) -> bool:
        """True where the site's Slurm is known to be of ``version`` or newer."""
        return bool(self.slurm_version) and _numbers(self.slurm_version) >= _numbers(version)


def _numbers(version: str) -> tuple[int, ...]:
    """``22.05.8`` as (22, 5, 8)."""
    return tuple(int(part) for part in re.findall(r"\d+", version))
