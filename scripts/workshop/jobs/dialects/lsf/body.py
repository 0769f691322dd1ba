"""LSF's commands in the body of a script: lists of hosts, numbers, and mpirun lines."""

from __future__ import annotations

import re

from workshop.jobs.dialect import Dialect, Notion
from workshop.jobs.launch.tables import OPENMPI
from workshop.jobs.model import JobRequest
from workshop.jobs.parts import nodefile

FILE = "LSB_DJOB_HOSTFILE"
# The command that lists the job's hosts, each once, and how scripts write it.
HOSTS = f"awk '!seen[$0]++' \"${FILE}\""
HOST_LIST = nodefile.host_list(FILE)
FIRST_HOST: re.Pattern[str] | None = nodefile.first_host(FILE)
# Expressions that give a number for which other schedulers have a variable.
COUNTS: tuple[tuple[re.Pattern[str], Notion], ...] = ((nodefile.host_count(FILE), Notion.NODES),)
# The program that starts a job's tasks on its nodes, and the table of its options.
STARTER = ("mpirun", OPENMPI)
# How a job requeues itself, where any user may.
REQUEUE: str | None = 'brequeue "$LSB_JOBID"'


def numbers(request: JobRequest) -> dict[str, str]:
    """Variables that only repeat the request: there are none."""
    return {}


def adapt(text: str, source: Dialect) -> str:
    """A line of another scheduler, before its variables are renamed: nothing to do here."""
    return text
