"""Quark's commands in the body of a script."""

import re

from workshop.jobs.dialect import Dialect
from workshop.jobs.model import JobRequest

HOSTS, HOST_LIST, FIRST_HOST = "qhosts", re.compile(r"\bqhosts\b"), None
COUNTS, REQUEUE = (), None


def numbers(request: JobRequest) -> dict[str, str]:
    return {}


def adapt(text: str, source: Dialect) -> str:
    return text


def launch(asked: dict[str, str], ranks: str | None, total: int | None, request: JobRequest) -> str:
    return f"qrun -n {ranks or total or 1}"
