"""Our own job scripts for the rules of cases_public/README.md: RULE_fires_N has to raise the rule, RULE_quiet_N, which
a careless pattern would report, must not; RULE_advice_N and NAME_read_N ask for what their .expect says."""

import re
from collections import Counter
from pathlib import Path

import check_command
import pytest
from case_reading import cases
from public_reading import faults, options

HERE = Path(__file__).parent
ALL = cases(HERE / "cases_launch")
KIND = re.compile(r"(?P<rule>\w+)_(?P<kind>fires|quiet|advice|read)_\d+$")
# Warnings that are true but that the case does not name.
TRUE_BUT_UNNAMED: dict[str, set[str]] = {}


def name(case: dict) -> str:
    return case["path"].name


def kind(case: dict) -> tuple[str, str]:
    """The rule and the kind that a file's name says."""
    match = KIND.fullmatch(case["path"].stem)
    return match["rule"], match["kind"]


@pytest.mark.parametrize("case", ALL, ids=name)
def test_script_is_right_as_a_whole(case):
    assert not faults(case)


@pytest.mark.parametrize("case", ALL, ids=name)
def test_script_raises_no_warning_that_it_does_not_name(case):
    report = check_command.report(case["path"], *options(case))
    loud = {finding["rule"] for finding in report["findings"] if finding["severity"] != "note"}
    named = {*(case.get("warnings_right") or []), *(case.get("notes_ok") or [])}
    assert loud - named <= TRUE_BUT_UNNAMED.get(name(case), set())


def new_rules() -> list[str]:
    """The names in the table of new rules."""
    text = (HERE / "cases_public" / "README.md").read_text(encoding="utf-8")
    table = text.split("## New rule names")[1].split("\n## ")[0]
    return re.findall(r"^\| (\w+_\w+) \|", table, re.MULTILINE)


def test_every_new_rule_has_one_script_that_raises_it_and_two_that_do_not():
    count = Counter(kind(case) for case in ALL)
    rules = new_rules()
    assert len(rules) >= 30
    lacking = [rule for rule in rules if count[rule, "fires"] < 1 or count[rule, "quiet"] < 2]
    assert not lacking


@pytest.mark.parametrize("case", ALL, ids=name)
def test_expectation_says_what_the_name_of_its_file_says(case):
    rule, said = kind(case)
    at_site = case.get("with_site") or {}
    if said == "fires":
        assert rule in [*case["warnings_right"], *at_site.get("warnings_right", [])]
    if said == "quiet":
        assert rule in case["warnings_wrong"]


def test_score_of_our_own_scripts(say):
    """Says the numbers at the end of the run."""
    right = {case["path"]: not faults(case) for case in ALL}
    for said in ("fires", "quiet"):
        these = [case for case in ALL if kind(case)[1] == said]
        say(f"own scripts, {said}: {sum(right[case['path']] for case in these)} of {len(these)} right")
    assert all(right.values())
