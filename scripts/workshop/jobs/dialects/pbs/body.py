"""PBS's commands in the body of a script: lists of hosts, numbers, and mpiexec lines."""

from __future__ import annotations

import re

from workshop.jobs.dialect import Dialect, Notion
from workshop.jobs.launch.tables import OPENMPI
from workshop.jobs.model import JobRequest
from workshop.jobs.parts import nodefile

FILE = "PBS_NODEFILE"
# The command that lists the job's hosts, each once, and how scripts write it.
HOSTS = f"awk '!seen[$0]++' \"${FILE}\""
HOST_LIST = nodefile.host_list(FILE)
FIRST_HOST: re.Pattern[str] | None = nodefile.first_host(FILE)
# Expressions that give a number for which other schedulers have a variable.
COUNTS: tuple[tuple[re.Pattern[str], Notion], ...] = (
    (nodefile.line_count(FILE), Notion.TASKS),
    (nodefile.host_count(FILE), Notion.NODES),
)
# Variables that only one of the schedulers with these directives sets.
ONLY = {"torque": ("PBS_GPUFILE", "PBS_VNODENUM", "PBS_MICFILE", "PBS_NUM_PPN")}
# Variables that its jobs have, and others only where the site makes them.
OF_THE_SITE = {"TMPDIR": "PBS makes this folder for each job; elsewhere it is the site's, or not set"}
# The program that starts a job's tasks on its nodes, and the table of its options.
STARTER = ("mpiexec", OPENMPI)
# How a job requeues itself, where any user may.
REQUEUE: str | None = None


def numbers(request: JobRequest) -> dict[str, str]:
    """Variables that only repeat the request, and the numbers that they have."""
    cores = (request.tasks_per_node or 1) * (request.cpus_per_task or 1)
    found = {"NCPUS": request.extra.threads_per_task or cores, "PBS_NUM_PPN": request.tasks_per_node}
    return {name: str(number) for name, number in found.items() if number}


def adapt(text: str, source: Dialect) -> str:
    """A line of another scheduler, before its variables are renamed.

    PBS_JOBID is ``123.server``: arithmetic needs its digits only."""
    names = "|".join(source.variables[Notion.JOB_ID])
    job_id = re.compile(rf"\$?\{{?\b(?:{names})\b\}}?")
    return re.sub(r"\$\(\(.*?\)\)", lambda total: job_id.sub("${PBS_JOBID%%[!0-9]*}", total[0]), text)
