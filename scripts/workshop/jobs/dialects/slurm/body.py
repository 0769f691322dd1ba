"""Slurm's commands in the body of a script: lists of hosts, numbers, and srun lines."""

from __future__ import annotations

import re

from workshop.jobs.dialect import Dialect, Notion
from workshop.jobs.model import JobRequest

# The command that lists the job's hosts, each once, and how scripts write it.
HOSTS = 'scontrol show hostnames "$SLURM_JOB_NODELIST"'
HOST_LIST = re.compile(r"scontrol show hostnames?(?:\s+[\"']?\$\{?SLURM_(?:JOB_)?NODELIST\}?[\"']?)?")
FIRST_HOST: re.Pattern[str] | None = None
# Expressions that give a number for which other schedulers have a variable.
COUNTS: tuple[tuple[re.Pattern[str], Notion], ...] = ()
# How a job requeues itself, where any user may.
REQUEUE: str | None = None


def numbers(request: JobRequest) -> dict[str, str]:
    """Variables that only repeat the request, and the numbers that they have."""
    found = {
        "SLURM_CPUS_PER_TASK": request.cpus_per_task,
        "SLURM_GPUS_ON_NODE": request.gpus_per_node,
        "SLURM_GPUS_PER_NODE": request.gpus_per_node,
        "SLURM_NTASKS_PER_NODE": request.tasks_per_node,
        "SLURM_CPUS_ON_NODE": (request.tasks_per_node or 1) * (request.cpus_per_task or 1),
    }
    return {name: str(number) for name, number in found.items() if number}


def adapt(text: str, source: Dialect) -> str:
    """A line of another scheduler, before its variables are renamed: nothing to do here."""
    return text


def launch(asked: dict[str, str], ranks: str | None, total: int | None, request: JobRequest) -> str:
    """``srun`` with the options that say what another launcher was asked for.

    Args:
        asked: per_node, cpus and gpus of each rank, where they were given. ranks: their number as written.
        total: tasks of the job.
    """
    parts = ["srun"]
    chunks = request.extra.chunks or []
    if len(chunks) > 1:
        parts.append("--het-group=" + ",".join(str(number) for number in range(len(chunks))))
    if asked.get("per_node") == "1" and (request.tasks_per_node or 1) > 1:
        parts.append("--ntasks-per-node=1")
    elif ranks and ranks != str(total) and not re.search(r"NTASKS|NP\b|NUMPROC|NODEFILE", ranks):
        parts.append(f"--ntasks={ranks}")
    if asked.get("cpus"):
        parts.append(f"--cpus-per-task={asked['cpus']}")
    if asked.get("gpus"):
        parts.append(f"--gpus-per-task={asked['gpus']}")
    return " ".join(parts)
