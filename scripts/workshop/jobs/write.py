"""From a JobRequest to directives."""

from __future__ import annotations

from workshop.jobs.model import JobRequest
from workshop.jobs.parts.written import Written


def write(request: JobRequest, scheduler: str, components: list[JobRequest] | None = None) -> Written:
    """Directives of ``scheduler`` for ``request``.

    Args:
        scheduler: ``slurm``, ``pbs`` or ``lsf``.
        components: all parts of a heterogeneous job; ``request`` is then the first of them.

    Raises:
        CannotWrite: the scheduler cannot express it at all.
        ValueError: unknown scheduler.
    """
    if scheduler == "slurm":
        from workshop.jobs.dialects.slurm.write import write_slurm as writer
    elif scheduler == "pbs":
        from workshop.jobs.dialects.pbs.write import write_pbs as writer
    elif scheduler == "lsf":
        from workshop.jobs.dialects.lsf.write import write_lsf as writer
    else:
        raise ValueError(f"no writer for '{scheduler}': choose slurm, pbs or lsf")
    return writer(request, components or [])
