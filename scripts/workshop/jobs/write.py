"""From a JobRequest to directives."""

from __future__ import annotations

from workshop.jobs.dialect import dialect, targets
from workshop.jobs.model import JobRequest
from workshop.jobs.parts.written import Written


def write(request: JobRequest, scheduler: str, components: list[JobRequest] | None = None) -> Written:
    """Directives of ``scheduler`` for ``request``.

    Args:
        scheduler: a name or alias of a dialect that is a target: ``slurm``, ``pbs`` or ``lsf``.
        components: all parts of a heterogeneous job; ``request`` is then the first of them.

    Raises:
        CannotWrite: the scheduler cannot express it at all.
        ValueError: unknown scheduler.
    """
    one = dialect(scheduler)
    if not one.target:
        raise ValueError(f"no writer for '{scheduler}': choose {', '.join(targets())}")
    return one.write(request, components or [])
