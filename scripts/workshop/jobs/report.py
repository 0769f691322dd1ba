"""A report as text: one sentence, a table, the findings."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from workshop.jobs.check import Report
from workshop.jobs.dialect import dialect
from workshop.jobs.model import ACCEPT, OTHER, Finding, JobRequest, Script
from workshop.jobs.parts.grammar import runner
from workshop.jobs.parts.units import show_memory, show_time

if TYPE_CHECKING:
    from workshop.jobs.fix import Fixed

UNKNOWN = "unknown here"
SCOPE = {
    "per_node": "on each {node}",
    "per_cpu": "for each CPU",
    "per_gpu": "for each GPU",
    "per_task": "for each {task}",
    "total": "in all",
    None: "per {node} or per {task}, as the site counts",
}
VERDICT = {
    "accept": "The scheduler takes it, and it does what it says.",
    "accept-but-suspicious": "The scheduler takes it; something in it is probably not meant.",
    "accept-but-wrong": "The scheduler takes it, but it does not do what it says.",
    "reject": "The scheduler refuses it.",
    "site-dependent": "What it does depends on the site.",
    "version-dependent": "What it does depends on the scheduler's version.",
    "none": "Nothing is claimed about it.",
}
# GitHub's word for each severity.
_OF_GITHUB = {"error": "error", "warning": "warning", "note": "notice"}


def count(number: int | None, word: str, unknown: str = "") -> str:
    """``2 nodes``; ``unknown`` where the number is None."""
    if number is None:
        return unknown
    return f"{number} {word}{'' if number == 1 else 's'}"


# What a shell puts in that is not here: the job's size, its queue, its time.
SIZES, QUEUE, TIME = "sizes", "queue", "time"


def sentence(request: JobRequest, scheduler: str, *, hidden: frozenset[str] = frozenset()) -> str:
    """What the job asks for, in one plain sentence; ``hidden``: what only the submitting shell knows (`SIZES` …)."""
    words = dialect(scheduler)
    node, task, queue = words.node, words.task, words.queue
    some = f"an unknown number of {node}s" if SIZES in hidden else f"as many {node}s as it needs"
    where = count(request.nodes, node, some)
    parts = [f"{count(request.tasks, task, f'an unknown number of {task}s')} on {where}"]
    if request.cpus_per_task and scheduler != "lsf":
        parts.append(f"{count(request.cpus_per_task, 'CPU')} a {task}")
    parts.append(_gpus(request, node, SIZES in hidden))
    if request.mem:
        amount = "all the memory" if request.mem.value == 0 else _amount(request)
        parts.append(f"{amount} {SCOPE[request.mem.scope].format(node=node, task=task)}")
    time = "no time limit asked for" if request.time_s == 0 else f"for at most {show_time(request.time_s)}"
    default = "for an unknown time" if TIME in hidden else "for the site's default time"
    parts.append(default if request.time_s is None else time)
    default = f" in an unknown {queue}" if QUEUE in hidden else f" in the site's default {queue}"
    place = f" in {queue} {request.partition}" if request.partition else default
    times = f"{count(request.array.count, 'job')} of an array, each with " if request.array else ""
    return f"Asks for {times}{', '.join(parts)},{place}."


def _gpus(request: JobRequest, node: str, hidden: bool = False) -> str:
    kind = f"{request.gpu_type} GPU" if request.gpu_type else "GPU"
    if request.gpus_total == 0:
        return "no GPU"
    if request.gpus_per_node is not None:
        total = f" ({request.gpus_total} in all)" if request.gpus_total and request.nodes != 1 else ""
        return f"{count(request.gpus_per_node, kind)} a {node}{total}"
    unknown = "an unknown number of GPUs" if hidden else "a number of GPUs that only the site knows"
    return f"{count(request.gpus_total, kind, unknown)}" + (" in all" if request.gpus_total else "")


def table(request: JobRequest, scheduler: str, *, hidden: frozenset[str] = frozenset()) -> list[tuple[str, str]]:
    """The request as (name, value); what the site decides is said so. ``hidden`` as for `sentence`."""
    words = dialect(scheduler)
    node, task = words.node, words.task
    site = "the site decides"
    sizes, queue = (UNKNOWN if name in hidden else site for name in (SIZES, QUEUE))
    rows = [
        ("job name", request.job_name),
        ("account", request.account),
        (words.queue, request.partition or queue),
        (f"{node}s", request.nodes),
        (f"{task}s", request.tasks),
        (f"{task}s a {node}", request.tasks_per_node),
        (f"CPUs a {task}", request.cpus_per_task),
        ("CPUs in all", request.cpus_total),
        (f"GPUs a {node}", request.gpus_per_node),
        ("GPUs in all", request.gpus_total),
        ("GPU type", request.gpu_type),
        ("memory", _memory(request, node, task)),
        ("time", UNKNOWN if TIME in hidden and request.time_s is None else show_time(request.time_s)),
        ("array", _array(request)),
        ("log", request.output),
        ("error log", request.error),
        ("constraint", request.constraint),
        ("QOS", request.qos),
        ("place", request.place),
        ("whole nodes", "yes" if request.exclusive else None),
        ("signal", f"{request.signal.name} {request.signal.before_s} s before the end" if request.signal else None),
        ("dependency", request.dependency),
    ]
    always = {f"{node}s", f"{task}s"}
    return [
        (name, str(value) if value is not None else sizes)
        for name, value in rows
        if value is not None or name in always
    ]


def _amount(request: JobRequest) -> str:
    """The memory in words; the number as written where only the site knows its unit."""
    written = (request.extra.mem_request or {}).get("written", "").partition("/")[0]
    if request.mem.value is None and written:
        return f"{written} of a unit that the site sets"
    return show_memory(request.mem.value)


def _memory(request: JobRequest, node: str, task: str) -> str | None:
    if request.mem is None:
        return None
    amount = "all" if request.mem.value == 0 else _amount(request)
    return f"{amount} {SCOPE[request.mem.scope].format(node=node, task=task)}"


def _array(request: JobRequest) -> str | None:
    if request.array is None:
        return None
    limit = f", at most {request.array.max_running} at once" if request.array.max_running else ""
    return f"{request.array.indices} ({count(request.array.count, 'job')}{limit})"


def text(report: Report) -> str:
    """The whole report for a terminal."""
    script = report.script
    if script.scheduler == OTHER:
        first = f"{script.path}: a script for {script.seen.system.name}. {VERDICT['none']}"
        return "\n".join([first, "", *_findings(report), _counts(report), ""])
    if script.seen.commands:
        first = f"{script.path}: commands for an allocation of {dialect(script.scheduler).full_title}, no job script."
        return "\n".join([f"{first} {VERDICT['none']}", "", *_findings(report), _counts(report), ""])
    lines = [f"{script.path}: {_whose(script)}. {_verdict(report)}", ""]
    requests, hidden = script.components or [script.request], _hidden(script)
    if _asks_for_nothing(report):
        requests = []  # the defaults of a scheduler are nothing that this file says
    for number, request in enumerate(requests):
        if len(requests) > 1:
            lines.append(f"Component {number} of a heterogeneous job:")
        lines += [sentence(request, script.scheduler, hidden=hidden), ""]
        rows = table(request, script.scheduler, hidden=hidden)
        width = max(len(name) for name, _ in rows)
        lines += [f"  {name:<{width}}  {value}" for name, value in rows] + [""]
    if script.ignored_lines:
        lines += [f"Lines without effect: {', '.join(map(str, sorted(set(script.ignored_lines))))}", ""]
    lines += [*_findings(report), _summary(report)]
    return "\n".join(lines) + "\n"


def short(report: Report) -> str:
    """Errors and warnings alone, each below its place; empty where there is none."""
    lines = []
    for finding in report.of("error", "warning"):
        place = report.script.path if finding.line is None else f"{report.script.path}:{finding.line}"
        lines += [f"{place}: {finding.severity} [{finding.rule}]", *_told(finding)]
    return "".join(f"{line}\n" for line in lines)


def annotations(path: str, findings: Iterable[Finding]) -> str:
    """The findings as commands of GitHub's workflows, which show them beside the lines of a pull request."""
    lines = []
    for finding in findings:
        at = {"file": path, "line": finding.line, "title": finding.rule}
        where = ",".join(f"{name}={_escaped(str(value), ':,')}" for name, value in at.items() if value is not None)
        told = "\n".join([finding.message, *(line.strip() for line in _told(finding)[1:])])
        lines.append(f"::{_OF_GITHUB[finding.severity]} {where}::{_escaped(told)}\n")
    return "".join(lines)


def _escaped(text: str, more: str = "") -> str:
    """The text as a command of GitHub's workflows takes it; in its properties ``more`` is escaped, too."""
    return "".join(f"%{ord(char):02X}" if char in "%\r\n" + more else char for char in text)


def _hidden(script: Script) -> frozenset[str]:
    """What depends on something that a shell puts in, or on a job's text that is not here."""
    told = dialect(script.scheduler)
    patterns = {SIZES: told.sizes, QUEUE: f"{re.escape(told.queue_option)} ", TIME: told.time_limit}
    found = {what for what, pattern in patterns.items() if _last_is_undecided(script, pattern)}
    if not script.text_known:
        found |= {SIZES}
        found |= {QUEUE} if script.request.partition is None else set()
        found |= {TIME} if script.request.time_s is None else set()
    return frozenset(found)


def _last_is_undecided(script: Script, pattern: str | None) -> bool:
    """True where a directive of that form counts whose value a shell would have to put in."""
    given = [one for one in script.directives if pattern and re.match(pattern, f"{one.option} {one.value}")]
    last = {one.option if one.option != "-l" else one.value: one for one in given}
    return any(script.undecided(one.value) for one in last.values())


def _whose(script: Script) -> str:
    title = dialect(script.scheduler).full_title
    submission = script.seen.submission
    return f"to be run; it submits a job to {title} (line {submission.line})" if submission else f"a script for {title}"


def _asks_for_nothing(report: Report) -> bool:
    return report.verdict == ACCEPT and report.script.asks_for_nothing


def _verdict(report: Report) -> str:
    """The verdict in words; no praise for a file that says nothing."""
    script = report.script
    if _asks_for_nothing(report):
        known = dialect(script.scheduler)
        return (
            f"It has no {known.magic} line, so it asks for nothing: what it gets is what stands behind "
            f"{known.submit.split()[0]} on the command line, or the site's defaults."
        )
    return VERDICT[report.verdict]


def _findings(report: Report) -> list[str]:
    lines = []
    for finding in report.findings:
        lines += [f"{finding.severity} {_where(finding)} [{finding.rule}]", *_told(finding)]
    return lines


def _told(finding: Finding) -> list[str]:
    """What happens, and after it what to write and where it is documented, as far as there is something to say."""
    lines = [f"  {finding.message}"]
    lines += [f"  Write: {finding.fix}"] if finding.fix else []
    lines += [f"  See: {finding.source}"] if finding.source else []
    return lines


def _counts(report: Report) -> str:
    return ", ".join(count(len(report.of(severity)), severity) for severity in ("error", "warning", "note")) + "."


def _summary(report: Report) -> str:
    script = report.script
    if script.seen.submission:
        return f"{_counts(report)} Run it: {runner(script.text)} {script.path}"
    submit = dialect(script.scheduler).submit
    return f"{_counts(report)} Submit with: {submit.replace('FILE', script.path)}"


def mended(fixed: Fixed, path: str) -> str:
    """What was done to a script and what a person has to decide."""
    done, left = len(fixed.applied), [finding for finding in fixed.left if finding.fix]
    lines = [f"{path}: {count(done, 'finding')} mended, {len(fixed.left)} left."]
    for finding in fixed.applied:
        lines.append(f"mended {_where(finding)} [{finding.rule}] {finding.fix}")
    for finding in left:
        lines += [f"left {_where(finding)} [{finding.rule}]", f"  {finding.message}", f"  Decide: {finding.fix}"]
    return "\n".join(lines) + "\n"


def _where(finding: Finding) -> str:
    return f"line {finding.line}" if finding.line else "whole file"
