"""``workshop check`` as a user types it, run in this process: the one place of the tests that calls it by name."""

import json
import re
from pathlib import Path

from click.testing import CliRunner, Result

from workshop.cli import main

# A finding of the text report begins so; what is indented below it belongs to it.
FINDING = re.compile(r"(error|warning|note) .*\[\w+\]$")


def run(*arguments: str | Path, environment: dict | None = None, stdin: bytes | None = None) -> Result:
    """``workshop check ARGUMENTS``; what is printed on standard error is in ``stderr`` only."""
    return CliRunner(env=environment).invoke(main, ["check", *map(str, arguments)], input=stdin)


def report(path: Path, *arguments: str) -> dict:
    """The JSON report on one file."""
    result = run(path, "--format", "json", *arguments)
    assert result.exit_code in (0, 1, 2) and not crashed(result), (result.exception, result.output[:500])
    return json.loads(result.stdout)


def crashed(result: Result) -> bool:
    """True where the command ended by an exception of its own."""
    return result.exception is not None and not isinstance(result.exception, SystemExit)


def rules(report: dict) -> set[str]:
    """The names of all findings of a report."""
    return {finding["rule"] for finding in report["findings"]}


def advice(report: dict, rule: str) -> str:
    """What the findings of ``rule`` say: message and what stands behind "Write:". Empty where it does not fire."""
    found = [finding for finding in report["findings"] if finding["rule"] == rule]
    return "\n".join(f"{finding['message']}\nWrite: {finding['fix'] or ''}" for finding in found)


def outside_findings(text: str) -> str:
    """The text report without its findings: the head, the table and the last line."""
    kept, inside = [], False
    for line in text.splitlines():
        inside = bool(FINDING.match(line)) or (inside and line.startswith(" "))
        kept += [] if inside else [line]
    return "\n".join(kept)
