"""Slurm's commands in the body of a script: lists of hosts, numbers, and srun lines."""

from __future__ import annotations

import re

from workshop.jobs.dialect import Dialect, Notion
from workshop.jobs.launch.tables import SRUN
from workshop.jobs.model import JobRequest

# The command that lists the job's hosts, each once, and how scripts write it.
HOSTS = 'scontrol show hostnames "$SLURM_JOB_NODELIST"'
HOST_LIST = re.compile(r"scontrol show hostnames?(?:\s+[\"']?\$\{?SLURM_(?:JOB_)?NODELIST\}?[\"']?)?")
FIRST_HOST: re.Pattern[str] | None = None
# Expressions that give a number for which other schedulers have a variable.
COUNTS: tuple[tuple[re.Pattern[str], Notion], ...] = ()
# Variables of its jobs -> what any shell has in their place.
ANYWHERE = {"SLURMD_NODENAME": "$(hostname -s)"}
# The program that starts a job's tasks on its nodes, and the table of its options.
STARTER = ("srun", SRUN)
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
