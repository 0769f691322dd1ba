"""IBM Spectrum LSF."""

from __future__ import annotations

import re
from collections.abc import Iterator

from workshop.jobs.dialect import others
from workshop.jobs.dialects.lsf import LSF
from workshop.jobs.model import SITE, WRONG, Finding
from workshop.jobs.parts import sources
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
    slots = request.tasks_per_node or request.tasks
    if slots == 1 and request.nodes == 1:
        return
    value, written = request.mem.value, request.extra.mem_request["written"]
    amount = show_memory(value) if value else written
    many = slots or request.extra.slots_max or 2
    each = f"{amount} for each slot" + (f" ({show_memory(value * many)} for {many} slots)" if value else "")
    yield Finding(
        "lsf_memory_scope_depends_on_site",
        "note",
        context.line("-R"),
        f"rusage[mem={written}] is {amount} for each host by IBM's default, or {each} "
        "where the site sets RESOURCE_RESERVE_PER_TASK.",
        f"rusage[mem={written}/host] or rusage[mem={written}/task] (LSF 10.1 fix pack 9)",
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
                _with_unit(entry["written"], name, "MB" if entry["written"] == request.get("written") else default),
            )


def _with_unit(written: str, name: str, default: str) -> str:
    """The script's own number with a unit: as it counts by default, and in GB where that is a usual amount."""
    number, slash, method = written.partition("/")
    whole = int(number) if number.isdigit() else 0
    as_default = name.format(f"{number}{default}{slash}{method}")
    if default == "MB" and 0 < whole <= 512:
        return f"{name.format(f'{number}GB{slash}{method}')}, or {as_default} if so little is meant"
    if default == "MB" and whole and whole % 1000 == 0:
        return f"{name.format(f'{whole // 1000}GB{slash}{method}')}, or {as_default}"
    if default == "MB" and whole and whole % 1024 == 0:
        return f"{name.format(f'{whole // 1024}GB{slash}{method}')}, or {as_default}"
    return as_default


UNKNOWN_PATTERN = re.compile(r"%[^JI%]")


@rule("file_pattern_unknown", severity="note", source=sources.BSUB)
def unknown_pattern(context: Context) -> Iterator[Finding]:
    """Names of files know %J and %I; another letter behind the sign stays as it is, in the file of every job."""
    for directive in context.script.directives:
        found = UNKNOWN_PATTERN.search(directive.value or "") if directive.option in LSF.log_options else None
        foreign = {pattern for other in others("lsf") for pattern in other.log_patterns.values()}
        if found is None or found[0] in foreign or re.search("%[JI]", directive.value):
            continue
        yield Finding(
            "file_pattern_unknown",
            "note",
            directive.line,
            f"{directive.option} {directive.value}: LSF knows %J (job) and %I (array index); {found[0]} stays in the "
            "name, so that every job has this same file.",
            f"{directive.option} {directive.value.replace(found[0], '%J')}",
        )


@rule("lsf_output_goes_to_mail", severity="note", source=sources.BSUB)
def output_goes_to_mail(context: Context) -> Iterator[Finding]:
    """Without -o and -oo the output is mailed."""
    if context.given("-o", "-oo") or context.request.extra.interactive:
        return
    errors = " -e takes the errors only." if context.given("-e", "-eo") else ""
    yield Finding(
        "lsf_output_goes_to_mail",
        "note",
        None,
        f"There is neither -o nor -oo: LSF mails the output when the job has ended, and where mail is off it is "
        f"lost.{errors}",
        "#BSUB -o %J.out",
    )


MOST_INDICES = 1000  # MAX_JOB_ARRAY_SIZE of lsb.params, if the site does not raise it


@rule("array_larger_than_usual", severity="note", source=sources.BSUB)
def large_array(context: Context) -> Iterator[Finding]:
    """More elements than LSF takes by default."""
    array = context.request.array
    if array and array.last > MOST_INDICES:
        yield Finding(
            "array_larger_than_usual",
            "note",
            context.line("-J"),
            f"The array goes up to index {array.last}: LSF takes {MOST_INDICES} unless the site has raised "
            "MAX_JOB_ARRAY_SIZE.",
            "bparams -a | grep MAX_JOB_ARRAY_SIZE shows the limit",
        )


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
