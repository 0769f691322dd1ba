"""Judging a public script, or one of our own of the same kind, as a whole (keys: cases_public/README.md).

The values are compared by ``case_reading``; here stands what that README adds.
"""

import re

import check_command
from case_reading import actual_value, same_value

IN_LINES = re.compile(r"(?P<rule>\w+) lines (?P<lines>\d+(?: \d+)*)")


def options(case: dict) -> list[str]:
    """How the case's script is handed to ``workshop check``; what is no known scheduler's has to be seen."""
    given = [] if case["scheduler"] == "other" else ["--scheduler", case["scheduler"]]
    return given + (["--submit", case["submit"]] if case.get("submit") else [])


def faults(case: dict) -> list[str]:
    """Everything in which the checker's answer is not the case's; empty where the script is right as a whole."""
    report = check_command.report(case["path"], *options(case))
    return [
        *_wrong_values(case, report.get("request") or {}),
        *_wrong_verdict(case, report),
        *_missing(case.get("warnings_right"), report, ""),
        *_false_alarms(case, report),
        *_missing_at_site(case),
        *_wrong_advice(case, report),
    ]


def _wrong_values(case: dict, request: dict) -> list[str]:
    expected = {**(case.get("effective") or {}), **(case.get("effective_if_fixed") or {})}
    rows = [(key, value, _actual(key, value, request)) for key, value in expected.items()]
    for kind in ("chunks", "components"):
        there = request.get(kind) or []
        if case.get(kind) and len(there) != len(case[kind]):
            rows.append((f"number of {kind}", len(case[kind]), len(there)))
        for number, (part, read) in enumerate(zip(case.get(kind) or [], there, strict=False)):
            rows += [(f"{kind} {number} {key}", value, _part(kind, key, read)) for key, value in part.items()]
    return [f"{key}: expected {value}, read {actual}" for key, value, actual in rows if not same_value(value, actual)]


def _actual(key: str, expected, request: dict):
    """The value for ``key``; a list that the file joins with colons is compared as a list."""
    actual = actual_value(key, request)
    if isinstance(expected, list) and isinstance(actual, str):
        return re.split(r"[:,+]", actual)
    return actual


def _part(kind: str, key: str, read: dict):
    return actual_value(key, read) if kind == "components" else read.get(key)


def _wrong_verdict(case: dict, report: dict) -> list[str]:
    """Any severity will do: only whether the scheduler takes the job at all is a fact."""
    expected, said = case.get("verdict"), report["verdict"]
    if expected == "none":
        return [f"verdict {said} on what is not read"] if said not in (None, "none") else []
    wrong = expected is not None and (said == "reject") != (expected == "reject")
    return [f"verdict: expected {expected}, said {said}"] if wrong else []


def _missing(wanted: list[str] | None, report: dict, where: str) -> list[str]:
    return [f"no {rule}{where}" for rule in wanted or [] if rule not in check_command.rules(report)]


def _false_alarms(case: dict, report: dict) -> list[str]:
    return [f"false alarm: {entry}" for entry in case.get("warnings_wrong") or [] if _fires(entry, report)]


def _fires(entry: str, report: dict) -> bool:
    """``RULE``: anywhere; ``RULE lines 6 8``: in these lines."""
    narrowed = IN_LINES.fullmatch(entry)
    if not narrowed:
        return entry in check_command.rules(report)
    lines = {int(number) for number in narrowed["lines"].split()}
    return any(f["rule"] == narrowed["rule"] and f["line"] in lines for f in report["findings"])


def _missing_at_site(case: dict) -> list[str]:
    site = case.get("with_site")
    if not site:
        return []
    report = check_command.report(case["path"], *options(case), "--site", site["name"])
    wrong = [
        f"false alarm at {site['name']}: {rule}" for rule in site.get("warnings_wrong") or [] if _fires(rule, report)
    ]
    return _missing(site.get("warnings_right"), report, f" at {site['name']}") + wrong


def _wrong_advice(case: dict, report: dict) -> list[str]:
    wrong = []
    for entry in case.get("advice") or []:
        rule = entry["rule"]
        said = _summary(case) if rule == "summary" else check_command.advice(report, rule)
        if not said:
            continue
        wrong += [f"advice of {rule} lacks {piece!r}" for piece in entry.get("must") or [] if piece not in said]
        wrong += [f"advice of {rule} has {piece!r}" for piece in entry.get("must_not") or [] if piece in said]
    return wrong


def _summary(case: dict) -> str:
    return check_command.outside_findings(check_command.run(case["path"], *options(case)).stdout)
