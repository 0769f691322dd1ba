"""A job script of one scheduler as a script of another; nothing is dropped silently."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from pathlib import Path

from workshop.jobs.check import check
from workshop.jobs.dialect import dialects, targets
from workshop.jobs.model import JobRequest, Script
from workshop.jobs.parts.written import CannotWrite, Loss
from workshop.jobs.read import read_script
from workshop.jobs.translate_body import launched_ranks, mark, translate_body
from workshop.jobs.write import write

TARGETS = targets()


class CannotTranslate(Exception):
    """There is no sensible translation; the message says why and what to do."""


@dataclass
class Translation:
    """A translated script.

    Attributes:
        text: the new script. source: the script as it was read. to: its new scheduler.
        losses: what has no counterpart; each stands in ``text`` as a line that begins ``# NOT TRANSLATED``.
    """

    text: str
    source: Script
    to: str
    losses: list[Loss] = field(default_factory=list)


def translate(source: str | bytes | Path | Script, to: str, scheduler: str | None = None) -> Translation:
    """Translates a job script.

    Args:
        source: a path, the text, or a script that was read already.
        to: ``slurm``, ``pbs`` (PBS Pro and OpenPBS) or ``lsf``.
        scheduler: whose script it is; None = found out.

    Raises:
        CannotTranslate: the scheduler would refuse the script, or the target cannot express it at all.
        OSError, UnreadableInput, ValueError: see ``read_script``.
    """
    if to not in TARGETS:
        raise ValueError(f"no translation to '{to}': choose {', '.join(TARGETS)}")
    script = source if isinstance(source, Script) else read_script(source, scheduler)
    _refuse_errors(script)
    request = _meant(script)
    try:
        written = write(request, to, script.components)
    except CannotWrite as problem:
        raise CannotTranslate(str(problem)) from problem
    body = translate_body(script, to, request)
    lines = _head(script, to) + written.lines
    lines += [mark(f"{loss.what}: {loss.reason}") for loss in written.losses]
    lines += ["", *_threads(script, to), *_without_leading_blanks(body.lines)]
    return Translation("\n".join(lines).rstrip("\n") + "\n", script, to, written.losses + body.losses)


def _refuse_errors(script: Script) -> None:
    errors = check(script).of("error")
    if errors:
        first = errors[0]
        raise CannotTranslate(
            f"line {first.line}: {first.message} The scheduler refuses this script, so what it asks "
            "for is not certain. "
            f"Mend it first: {first.fix}"
        )


def _meant(script: Script) -> JobRequest:
    """The request; where PBS names no mpiprocs, the ranks that the body starts say how a chunk is used."""
    request = copy.deepcopy(script.request)
    chunks = request.extra.chunks or []
    if len(chunks) != 1 or "mpiprocs" in chunks[0] or not request.nodes:
        return request
    ranks = launched_ranks(script)
    each, rest = divmod(ranks or 0, request.nodes)
    ncpus = chunks[0].get("ncpus", 1)
    if each > 1 and not rest and ncpus >= each:
        request.tasks, request.tasks_per_node, request.cpus_per_task = ranks, each, ncpus // each
    return request


def _head(script: Script, to: str) -> list[str]:
    """Shebang and the header's own comments."""
    lines = script.seen.lines
    first = script.seen.first_line
    head = [f"#!{script.shebang}" if script.shebang is not None else "#!/bin/bash"]
    directives = {directive.line for directive in script.directives} | set(script.ignored_lines)
    for number, line in enumerate(lines[: script.body_line - 1], 1):
        comment = line.strip().startswith("#") and not line.startswith("#!")
        if line.startswith("##") and _is_directive(line) and head[-1].startswith("# EDIT"):
            head.pop()  # it spoke of this directive, which is switched off and has no place in the new script
        if number >= first and comment and number not in directives and not _is_directive(line):
            head.append(line.strip())
    return head


def _is_directive(line: str) -> bool:
    return line.lstrip("# \t").startswith(tuple(one.magic.removeprefix("#") for one in dialects().values()))


def _threads(script: Script, to: str) -> list[str]:
    """PBS sets OMP_NUM_THREADS from ompthreads; the others do not."""
    threads = script.request.extra.threads_per_task
    if threads and to != "pbs" and "OMP_NUM_THREADS=" not in script.body:
        return [f"export OMP_NUM_THREADS={threads}"]
    return []


def _without_leading_blanks(lines: list[str]) -> list[str]:
    start = next((index for index, line in enumerate(lines) if line.strip()), len(lines))
    return lines[start:]
