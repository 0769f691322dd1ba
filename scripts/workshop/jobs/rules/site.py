"""Rules that need the facts of a site; silent without them."""

from __future__ import annotations

from collections.abc import Iterator

from workshop.jobs.model import SITE, Finding
from workshop.jobs.parts import sources
from workshop.jobs.parts.units import show_time
from workshop.jobs.rules.base import Context
from workshop.jobs.rules.rule import rule


@rule("time_exceeds_partition_limit", verdict=SITE, severity="warning", source=sources.SLURM_CONF)
def time_limit(context: Context) -> Iterator[Finding]:
    """More time than the partition allows."""
    limits = context.profile.partitions
    for request in context.requests:
        names = [name for name in (request.partition or "").split(",") if name in limits]
        known = [limits[name] for name in names if limits[name]]
        if request.time_s and known and len(known) == len(names) and request.time_s > max(known):
            yield Finding(
                "time_exceeds_partition_limit",
                "warning",
                context.line("--time", "-W", "-l"),
                f"{show_time(request.time_s)} is more than {request.partition} allows "
                f"({show_time(max(known))}): the job "
                "may be taken all the same and then wait forever (reason PartitionTimeLimit).",
                f"at most {show_time(max(known))}, or another partition",
            )


@rule("gpu_type_or_partition_not_in_profile", verdict=SITE, severity="warning", source=sources.SLURM_GRES)
def partition_name(context: Context) -> Iterator[Finding]:
    """A partition that the site does not have."""
    limits = context.profile.partitions
    if not context.profile.complete or not limits:
        return
    for request in context.requests:
        for name in (request.partition or "").split(","):
            if name and name not in limits:
                yield _not_there(
                    context,
                    f"The site has no partition or queue '{name}'",
                    name,
                    list(limits),
                    context.dialect.queue_option,
                )


@rule("gpu_type_or_partition_not_in_profile", verdict=SITE, severity="warning", source=sources.SLURM_GRES)
def gpu_type(context: Context) -> Iterator[Finding]:
    """A GPU type that the site does not have."""
    profile = context.profile
    for request in context.requests:
        here = profile.partition_gpu_types.get(request.partition or "") or profile.gpu_types
        for name in (request.gpu_type or "").split(","):
            if name and here and name not in here:
                where = (
                    f"Partition {request.partition}" if request.partition in profile.partition_gpu_types else "The site"
                )
                yield _not_there(
                    context,
                    f"{where} has no GPU type '{name}'",
                    name,
                    here,
                    "--gres",
                    "--gpus-per-node",
                    "--gpus",
                    "--gpus-per-task",
                    "-gpu",
                )


def _not_there(context: Context, message: str, name: str, known: list[str], *options: str) -> Finding:
    alike = [other for other in known if other.lower() == name.lower()]
    hint = f" (spelling counts: '{alike[0]}')" if alike else ""
    return Finding(
        "gpu_type_or_partition_not_in_profile",
        "warning",
        context.line(*options),
        message + hint + ".",
        f"one of: {', '.join(sorted(known)[:10])}",
    )
