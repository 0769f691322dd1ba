"""Quark's commands in the body of a script."""

import re

from workshop.jobs.dialect import Dialect
from workshop.jobs.launch.tables import Launcher, Option
from workshop.jobs.model import JobRequest

HOSTS, HOST_LIST, FIRST_HOST = "qhosts", re.compile(r"\bqhosts\b"), None
COUNTS, REQUEUE = (), None
STARTER = ("qrun", Launcher("qrun", ("qrun",), "spread", (Option("tasks", ("-n",)),)))


def numbers(request: JobRequest) -> dict[str, str]:
    return {}


def adapt(text: str, source: Dialect) -> str:
    return text
