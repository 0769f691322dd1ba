"""Rules carry what is said about them: name, verdict, source and text stand at the rule, and nowhere else."""

import ast
import inspect
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from workshop.jobs import rules
from workshop.jobs.check import check
from workshop.jobs.dialect import dialects
from workshop.jobs.model import ACCEPT, SUSPICIOUS, VERDICTS, WRONG, Finding
from workshop.jobs.profile import Profile
from workshop.jobs.read import read_script, read_text
from workshop.jobs.rules import rule as rule_module
from workshop.jobs.rules.rule import Rule, catalogue, declare, functions_of, verdict_of

SCRIPTS = sorted(path for folder in ("cases", "cases_own") for path in (Path(__file__).parent / folder).glob("*.sh"))
HOMES = [rules, *(one.home for one in dialects().values())]
JOBS = Path(rules.__file__).parents[1]
# Calls whose first argument is the name of a rule.
NAMING = {"say", "_error", "Finding", "BadValue"}

for home in HOMES:
    functions_of(home)


def modules_with_rules() -> list[ModuleType]:
    names = {function.__module__ for home in HOMES for function in functions_of(home)}
    return [import_module(name) for name in sorted(names)]


@pytest.mark.parametrize("one", catalogue(), ids=lambda one: f"{one.name}-{one.where.rpartition('.')[2]}")
def test_a_rule_says_what_it_is_about(one):
    assert one.text.endswith(".") and len(one.text) < 120
    assert {one.verdict, one.note_verdict} <= set(VERDICTS)
    assert one.severity in (None, "error", "warning", "note")
    assert not one.source or one.source.startswith("https://")


@pytest.mark.parametrize("module", modules_with_rules(), ids=lambda module: module.__name__)
def test_a_function_that_looks_like_a_rule_is_one(module):
    functions = [f for f in vars(module).values() if inspect.isfunction(f) and f.__module__ == module.__name__]
    public = [f for f in functions if not f.__name__.startswith("_")]
    assert [f.__name__ for f in public if list(inspect.signature(f).parameters) == ["context"]] == [
        f.__name__ for f in public if hasattr(f, "rules")
    ]


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_what_is_found_is_what_the_rule_says(path):
    script = read_script(path)
    for site in (Profile(), Profile("tried", {"gpu": 60}, gpu_types=["a100"], complete=True)):
        for found in check(script, site).findings:
            known = [one for one in catalogue() if one.name == found.rule]
            assert any(one.severity in (None, found.severity) and one.source in ("", found.source) for one in known)


def names_in(path: Path) -> set[str]:
    """Names of rules that a reader's file uses."""
    found: list[ast.AST] = []
    for node in ast.walk(ast.parse(path.read_text())):
        called = getattr(node, "func", None)
        if isinstance(node, ast.Call) and node.args and getattr(called, "id", getattr(called, "attr", "")) in NAMING:
            found.append(node.args[0])
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]).startswith("rule"):
            found.append(node.value)
    texts = [n.value for value in found for n in ast.walk(value) if isinstance(n, ast.Constant)]
    return {text for text in texts if isinstance(text, str) and "_" in text}


def test_the_readers_use_the_names_that_are_declared_for_them():
    # asked.py has what is said about a call of the command, not about a script.
    readers = [path for path in JOBS.rglob("*.py") if "rules" not in path.relative_to(JOBS).as_posix()]
    readers.remove(JOBS / "asked.py")
    used = set().union(*(names_in(path) for path in readers))
    declared = {one.name for one in catalogue() if one.where.endswith(".reading")}
    assert used == declared


def test_one_name_has_one_verdict(monkeypatch):
    monkeypatch.setattr(rule_module, "_CATALOGUE", {})
    declare(Rule("invented", "Text.", WRONG, where="here"))
    with pytest.raises(ValueError, match="invented: there and here"):
        declare(Rule("invented", "Text.", ACCEPT, where="there"))
    with pytest.raises(ValueError, match="twice"):
        declare(Rule("invented", "Text.", WRONG, where="here"))


@pytest.mark.parametrize(
    ("finding", "verdict"),
    [
        (Finding("path_overwritten", "warning", 1, ""), "accept-but-wrong"),
        (Finding("path_overwritten", "error", 1, ""), "reject"),
        (Finding("path_overwritten", "note", 1, ""), ACCEPT),
        (Finding("totals_or_one_chunk", "note", 1, ""), "site-dependent"),
        (Finding("a_name_that_nobody_declared", "warning", 1, ""), SUSPICIOUS),
        (Finding("log_directory_must_exist_before_submit", "warning", 1, ""), ACCEPT),
        (Finding("log_directory_must_exist_before_submit", "warning", 1, "", verdict=WRONG), WRONG),
    ],
)
def test_a_finding_means_what_its_rule_says(finding, verdict):
    assert verdict_of(finding) == verdict


INVENTED = '''"""One more rule."""
from workshop.jobs.model import WRONG, Finding
from workshop.jobs.rules.rule import rule


@rule("invented_rule", verdict=WRONG)
def invented(context):
    """A rule that somebody adds."""
    yield Finding("invented_rule", "warning", 1, "Said.")
'''


def test_a_new_rule_is_one_function_in_one_file(tmp_path, monkeypatch):
    slurm = dialects()["slurm"].home
    (tmp_path / "rules_invented.py").write_text(INVENTED)
    monkeypatch.setattr(rule_module, "_CATALOGUE", dict(rule_module._CATALOGUE))
    monkeypatch.setattr(slurm, "__path__", [*slurm.__path__, str(tmp_path)])
    functions_of.cache_clear()
    try:
        report = check(read_text("#!/bin/bash\n#SBATCH --time=1:00:00\n"))
    finally:
        functions_of.cache_clear()
        sys.modules.pop(f"{slurm.__name__}.rules_invented")
    assert [found.rule for found in report.findings] == ["invented_rule"] and report.verdict == WRONG
    assert "invented_rule" not in [found.rule for found in check(read_text("#!/bin/bash\n#PBS -l ncpus=1\n")).findings]
