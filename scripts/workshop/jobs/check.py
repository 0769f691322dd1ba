"""The checker: reading, rules, verdict."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Any

from workshop.jobs import rules
from workshop.jobs.dialect import dialect
from workshop.jobs.model import ACCEPT, NONE, OTHER, VERDICTS, Finding, JobRequest, Script
from workshop.jobs.parts.directives import agreeing
from workshop.jobs.profile import Profile
from workshop.jobs.rules.base import Context
from workshop.jobs.rules.rule import functions_of, verdict_of


@dataclass
class Report:
    """What the checker says about a script.

    Attributes:
        script: as read. verdict: one of ``VERDICTS``. findings: by line, errors first within a line.
    """

    script: Script
    verdict: str
    findings: list[Finding] = field(default_factory=list)

    @property
    def request(self) -> JobRequest:
        return self.script.request

    def of(self, *severities: str) -> list[Finding]:
        return [finding for finding in self.findings if finding.severity in severities]

    def to_dict(self) -> dict[str, Any]:
        """The report as the JSON of ``workshop check --format json``."""
        request = self.request.to_dict()
        components = [component.to_dict() for component in self.script.components]
        if components:
            request["components"] = components
        return {
            "file": self.script.path,
            "scheduler": self.script.scheduler,
            "verdict": self.verdict,
            "request": request,
            "ignored_lines": sorted(set(self.script.ignored_lines)),
            "findings": [finding.to_dict() for finding in self.findings],
        }


def check(script: Script, profile: Profile | None = None, submit: str | None = None) -> Report:
    """Applies all rules of the script's scheduler.

    Args:
        script: from ``read_script``.
        profile: facts of the site; without them nothing is said that only a site can know.
        submit: the command by which the script is handed over, such as ``bsub job.sh``.
    """
    if script.scheduler == OTHER:
        return Report(script, NONE, list(script.problems))
    profile = profile or Profile()
    context = Context(script, profile, submit)
    _apply_profile(script, profile)
    findings = list(script.problems)
    for rule in (*functions_of(rules), *functions_of(dialect(script.scheduler).home)):
        findings.extend(rule(context))
    findings = agreeing(_sorted(_templates(_once(findings), script.seen.lines)), script.seen.lines)
    verdict = max(map(verdict_of, findings), key=VERDICTS.index, default=ACCEPT)
    return Report(script, verdict, findings)


def _apply_profile(script: Script, profile: Profile) -> None:
    """What only the site knows becomes a number: LSF memory, PBS totals."""
    request = script.request
    if request.mem and script.scheduler == "lsf":
        _lsf_memory(request, profile)
    if profile.whole_nodes:
        for each in [request, *script.components]:
            _whole_nodes(each, profile)
    if script.seen.totals_style and profile.totals:
        per_node = profile.gpus_per_node if request.gpus_total else profile.cpus_per_node
        amount = request.gpus_total or request.cpus_total
        if per_node and amount:
            request.nodes = -(-amount // per_node)
            request.gpus_per_node = request.gpus_total // request.nodes if request.gpus_total else 0


def _whole_nodes(request: JobRequest, profile: Profile) -> None:
    """The GPUs that come with each node, where the script does not say how many it uses."""
    counts = {node.gpus for node in profile.nodes}
    if request.gpus_total or len(counts) != 1 or not request.nodes:
        return
    request.gpus_per_node = counts.pop()
    request.gpus_total = request.gpus_per_node * request.nodes


def _lsf_memory(request: JobRequest, profile: Profile) -> None:
    from workshop.jobs.model import Memory
    from workshop.jobs.parts.units import lsf_size

    value, scope = request.mem.value, request.mem.scope
    if value is None and profile.memory_unit:
        size = lsf_size(request.extra.mem_request["written"].partition("/")[0], profile.memory_unit)
        value = size[0] if size else None
    if scope is None and profile.memory_per_task is not None:
        scope = "per_task" if profile.memory_per_task else "per_node"
    request.mem = Memory(value, scope)


def _once(findings: list[Finding]) -> list[Finding]:
    """One finding for a rule and a line; an error hides the warning of the same rule and line."""
    best: dict[tuple[str, int | None], Finding] = {}
    for finding in findings:
        key = (finding.rule, finding.line)
        if key not in best or (finding.severity == "error" and best[key].severity != "error"):
            best[key] = finding
    return list(best.values())


# What a program fills in: {{ name }} or <var NAME>, whose blanks cut the value in two.
TEMPLATE = re.compile(r"\{\{ [^{}]+\}\}|=\s*<[A-Za-z]\w* [^<>]*>")


# Rules whose advice would put a value of theirs into the place that a person is to fill in.
OF_THE_VALUE = ("bad_", "unknown_option", "unquoted_space", "trailing_text")


def _templates(findings: list[Finding], lines: list[str]) -> list[Finding]:
    """Of a line that is to be filled in that alone: what else is wrong with it goes away with the template."""
    to_fill_in = {one.line: one.fix for one in findings if one.rule == "placeholder_left_in_directive"}
    findings = [
        replace(one, fix=to_fill_in[one.line]) if one.line in to_fill_in and one.rule.startswith(OF_THE_VALUE) else one
        for one in findings
    ]
    kept = []
    for finding in findings:
        line = lines[finding.line - 1] if finding.line and finding.line <= len(lines) else ""
        there = [other for other in findings if other.line == finding.line] if TEMPLATE.search(line) else []
        if not any(other.rule == "placeholder_left_in_directive" for other in there):
            kept.append(finding)
        elif finding.rule == "placeholder_left_in_directive":
            told = re.sub(r"(?<=to fill in: ).*", "the scheduler refuses it as it stands.", finding.message)
            refused = any(other.severity == "error" for other in there)
            kept.append(replace(finding, severity="error", message=told) if refused else finding)
    return kept


def _sorted(findings: list[Finding]) -> list[Finding]:
    order = {"error": 0, "warning": 1, "note": 2}
    return sorted(findings, key=lambda f: (f.line or 0, order[f.severity], f.rule))
