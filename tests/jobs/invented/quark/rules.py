"""Quark's rules."""

from collections.abc import Iterator

from workshop.jobs.model import WRONG, Finding
from workshop.jobs.rules.base import Context
from workshop.jobs.rules.rule import rule


@rule("quark_is_odd", verdict=WRONG)
def odd_tasks(context: Context) -> Iterator[Finding]:
    """Quark runs an even number of tasks only."""
    if (context.request.tasks or 1) % 2:
        yield Finding("quark_is_odd", "warning", context.line("--tasks"), "An odd number of tasks.", "--tasks=2")
