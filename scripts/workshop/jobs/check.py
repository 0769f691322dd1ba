"""The checker: reading, rules, verdict."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from workshop.jobs.dialect import dialect
from workshop.jobs.model import Finding, JobRequest, Script, to_plain
from workshop.jobs.parts.shell import read_body
from workshop.jobs.profile import Profile
from workshop.jobs.rules.base import Context
from workshop.jobs.rules.common import COMMON
from workshop.jobs.rules.site import PROFILE

ACCEPT, SUSPICIOUS, SITE, VERSION, WRONG, REJECT = VERDICTS = (
    "accept",
    "accept-but-suspicious",
    "site-dependent",
    "version-dependent",
    "accept-but-wrong",
    "reject",
)

# Verdict of a warning; a rule that is not here is suspicious. Errors always reject.
VERDICT_OF_WARNING = {
    "each_task_sees_only_its_gpu": ACCEPT,
    "log_directory_must_exist": ACCEPT,
    "log_directory_must_exist_before_submit": ACCEPT,
    "join_eo_puts_stdout_into_stderr_file": ACCEPT,
    "abbreviated_option": VERSION,
    "gres_and_gpus_per_node_both_given": VERSION,
    "span_hosts_only_one": VERSION,
    "srun_needs_cpus_per_task_22_05_to_23_02": VERSION,
    "time_exceeds_partition_limit": SITE,
    "gpu_type_or_partition_not_in_profile": SITE,
    "bsub_needs_redirect": SITE,
    "lsf_memory_units_depend_on_site": SITE,
    "legacy_gpu_resource_with_gpu_option": SITE,
    "directives_after_first_command": WRONG,
    "indented_directive": WRONG,
    "lowercase_directive": WRONG,
    "space_in_directive": WRONG,
    "line_continuation_not_supported": WRONG,
    "equals_after_short_option": WRONG,
    "hash_starts_comment": WRONG,
    "unquoted_space": WRONG,
    "non_ascii_dash": WRONG,
    "shell_variable_in_directive": WRONG,
    "percent_j_not_expanded_in_job_name": WRONG,
    "ntasks_overrides_ntasks_per_node": WRONG,
    "ntasks_exceeds_nodes_times_per_node": WRONG,
    "foreign_directives_are_obeyed": WRONG,
    "ngpus_dropped_by_wrapper": WRONG,
    "walltime_seconds_became_minutes": WRONG,
    "pbs_variables_missing": WRONG,
    "foreign_scheduler_variables": WRONG,
    "foreign_scheduler_commands": WRONG,
    "signal_goes_to_shell_without_trap": WRONG,
    "path_overwritten": WRONG,
    "rank_set_outside_srun": WRONG,
    "torchrun_needs_one_task_per_node": WRONG,
    "no_launcher_in_multi_task_job": WRONG,
    "srun_asks_more_tasks_than_allocated": WRONG,
    "unknown_pbs_variable": WRONG,
    "crlf_line_endings": WRONG,
}
# Notes that leave the answer to the site all the same.
VERDICT_OF_NOTE = {"totals_or_one_chunk": SITE}


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
            "findings": [to_plain(finding) for finding in self.findings],
        }


def check(script: Script, profile: Profile | None = None, submit: str | None = None) -> Report:
    """Applies all rules of the script's scheduler.

    Args:
        script: from ``read_script``.
        profile: facts of the site; without them nothing is said that only a site can know.
        submit: the command by which the script is handed over, such as ``bsub job.sh``.
    """
    profile = profile or Profile()
    lines = script.facts.get("lines") or []
    context = Context(script, read_body(lines, script.body_line, script.shebang), profile, submit)
    _apply_profile(script, profile)
    findings = list(script.problems)
    for rule in (*COMMON, *dialect(script.scheduler).rules, *PROFILE):
        findings.extend(rule(context))
    findings = _sorted(_once(findings))
    return Report(script, verdict(findings), findings)


def _apply_profile(script: Script, profile: Profile) -> None:
    """What only the site knows becomes a number: LSF memory, PBS totals."""
    request = script.request
    if request.mem and script.scheduler == "lsf":
        _lsf_memory(request, profile)
    if script.facts.get("totals_style") and profile.totals:
        per_node = profile.gpus_per_node if request.gpus_total else profile.cpus_per_node
        amount = request.gpus_total or request.cpus_total
        if per_node and amount:
            request.nodes = -(-amount // per_node)
            request.gpus_per_node = request.gpus_total // request.nodes if request.gpus_total else 0


def _lsf_memory(request: JobRequest, profile: Profile) -> None:
    from workshop.jobs.model import Memory
    from workshop.jobs.parts.units import lsf_size

    value, scope = request.mem.value, request.mem.scope
    if value is None and profile.memory_unit:
        size = lsf_size(request.extra["mem_request"]["written"].partition("/")[0], profile.memory_unit)
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


def _sorted(findings: list[Finding]) -> list[Finding]:
    order = {"error": 0, "warning": 1, "note": 2}
    return sorted(findings, key=lambda f: (f.line or 0, order[f.severity], f.rule))


def verdict(findings: list[Finding]) -> str:
    """The gravest of what the findings mean."""
    grave = ACCEPT
    for finding in findings:
        if finding.severity == "error":
            found = REJECT
        elif finding.severity == "note":
            found = VERDICT_OF_NOTE.get(finding.rule, ACCEPT)
        elif finding.rule == "log_directory_must_exist_before_submit" and "mkdir" in finding.message:
            found = WRONG  # the script itself shows that the folder is not there beforehand
        else:
            found = VERDICT_OF_WARNING.get(finding.rule, SUSPICIOUS)
        grave = max(grave, found, key=VERDICTS.index)
    return grave
