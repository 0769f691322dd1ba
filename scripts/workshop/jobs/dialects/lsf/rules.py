"""IBM Spectrum LSF."""

from __future__ import annotations

import re
from collections.abc import Iterator

from workshop.jobs.model import SITE, WRONG, Finding
from workshop.jobs.parts import sources
from workshop.jobs.parts.shell import is_python, is_torchrun, launched
from workshop.jobs.parts.units import show_memory
from workshop.jobs.rules.base import Context
from workshop.jobs.rules.rule import rule


@rule("bsub_needs_redirect", verdict=SITE, source=sources.BSUB_SCRIPT)
def needs_redirect(context: Context) -> Iterator[Finding]:
    """``bsub script`` does not read the directives unless the site says so."""
    if context.profile.parse_script or context.script.seen.generated:
        return
    submit = context.submit
    if submit is not None and ("<" in submit or "|" in submit or not submit.strip().startswith("bsub")):
        return
    plain = submit is not None
    yield Finding(
        "bsub_needs_redirect",
        "warning" if plain else "note",
        None if not plain else 1,
        "'bsub FILE' runs the file as a command and leaves its #BSUB lines unread, unless the site sets "
        "LSB_BSUB_PARSE_SCRIPT; 'bsub < FILE' reads them.",
        "bsub < FILE",
    )


@rule("lsf_memory_scope_depends_on_site", severity="note", source=sources.LSF_PER_TASK)
def memory_scope(context: Context) -> Iterator[Finding]:
    """Whether memory counts for a host or a slot is the site's choice."""
    request = context.request
    if request.mem is None or request.mem.scope is not None or context.profile.memory_per_task is not None:
        return
    slots = request.tasks_per_node or request.tasks or 1
    if slots == 1 and request.nodes == 1:
        return
    value, written = request.mem.value, (request.extra.mem_request or {}).get("written", "")
    amount = show_memory(value) if value else f"{written} (unit set by the site)"
    total = f", {show_memory(value * slots)} for {slots} slots," if value and slots > 1 else ""
    yield Finding(
        "lsf_memory_scope_depends_on_site",
        "note",
        context.line("-R"),
        f"rusage[mem={written}] is {amount} on each host by IBM's default; where the site sets "
        f"RESOURCE_RESERVE_PER_TASK it is {amount} for each slot{total or ''}".rstrip(",")
        + ".",
        f"rusage[mem={written}/host] or rusage[mem={written}/task], as it is meant (LSF 10.1 fix pack 9)",
    )


@rule("lsf_memory_units_depend_on_site", verdict=SITE, severity="warning", source=sources.LSF_UNITS)
def memory_units(context: Context) -> Iterator[Finding]:
    """The unit of a bare number is the site's choice."""
    if context.profile.memory_unit:
        return
    request = context.request.extra.mem_request or {}
    limit = context.request.extra.mem_limit or {}
    for entry, option, name, default in ((request, "-R", "rusage[mem={}]", "MB"), (limit, "-M", "-M {}", "KB")):
        if entry and entry["value"] is None:
            yield Finding(
                "lsf_memory_units_depend_on_site",
                "warning",
                context.line(option),
                f"{name.format(entry['written'])} has no unit: {default} by IBM's default, something "
                "else where the site "
                "sets LSF_UNIT_FOR_LIMITS.",
                _with_unit(name, entry["written"], default),
            )


MANY_GB = 1000  # no slot gets that many; megabytes or kilobytes are meant


def _with_unit(name: str, written: str, default: str) -> str:
    """The script's own number with the units that can be meant."""
    number, slash, method = written.rstrip("!").partition("/")
    here = name.format(f"{number}{default}{slash}{method}")
    if not number.isdigit() or int(number) >= MANY_GB:
        return f"{here} if IBM's default is meant"
    return f"{here} for IBM's default, {name.format(f'{number}GB{slash}{method}')} if gigabytes are meant"


HOURS = {12, 24, 36, 48, 72, 96, 120, 168}


@rule("time_is_minutes", source=sources.BSUB)
def bare_minutes(context: Context) -> Iterator[Finding]:
    """A bare number of -W is minutes, where hours were probably meant."""
    directive = context.script.last("-W")
    match = re.fullmatch(r"(\d+)", (directive.value or "") if directive else "")
    if match and not re.search(r"#.*\bmin", directive.text[1:], re.IGNORECASE) and int(match[1]) in HOURS:
        yield Finding(
            "time_is_minutes",
            "warning" if int(match[1]) in (12, 24, 36, 48, 72, 96) else "note",
            directive.line,
            f"-W {match[1]} is {match[1]} minutes.",
            f"-W {match[1]}:00 for {match[1]} hours",
        )


@rule("fixed_world_size_needs_fixed_slots", severity="note", source=sources.BSUB)
def fixed_world(context: Context) -> Iterator[Finding]:
    """With -n min,max the number of slots is known only when the job starts."""
    if context.request.extra.slots_max:
        yield Finding(
            "fixed_world_size_needs_fixed_slots",
            "note",
            context.line("-n"),
            "With -n min,max the number of slots is known only when the job starts.",
            "read LSB_DJOB_NUMPROC in the script",
        )


@rule("no_launcher_in_multi_task_job", verdict=WRONG, severity="warning", source=sources.BSUB)
def no_launcher_lsf(context: Context) -> Iterator[Finding]:
    """Several hosts by ptile, but only the first one runs anything."""
    hosts = context.request.nodes or 1
    if hosts < 2 or context.body.launchers or not context.request.tasks_per_node:
        return
    command = next((c for c in context.body.commands if is_python(launched(c)) or is_torchrun(launched(c))), None)
    if command and not any(
        c.background or c.name in ("ssh", "parallel", "for", "while") for c in context.body.commands
    ):
        yield Finding(
            "no_launcher_in_multi_task_job",
            "warning",
            command.line,
            f"The job has {hosts} hosts, but nothing starts a process on the others: the script runs on the first.",
            "blaunch, mpirun or jsrun in front",
        )


@rule("percent_j_not_expanded_in_job_name", verdict=WRONG, severity="warning", source=sources.BSUB)
def percent_in_name(context: Context) -> Iterator[Finding]:
    """%J and %I work in file names, not in the job's name."""
    name = context.script.last("-J")
    if name and re.search(r"%[JI]", name.value or ""):
        yield Finding(
            "percent_j_not_expanded_in_job_name",
            "warning",
            name.line,
            f"'{name.value}': %J and %I work in file names only.",
            "a plain -J",
        )
