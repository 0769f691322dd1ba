"""What stands behind "Write:" is typed letter by letter, so it has to be possible, and right when typed."""

import re
from pathlib import Path

import check_command
import pytest
from case_reading import CORPORA, cases
from public_reading import options

HERE = Path(__file__).parent
ALL = [case for folder in CORPORA for case in cases(HERE / folder)]
TYPOGRAPHIC = re.compile("[\u2010-\u2015\u2018-\u201f\u2212\u00a0\u3000]")
# A folder that nobody can make before submitting: its name has a pattern of the scheduler in it.
FOLDER_WITH_PATTERN = re.compile(r"mkdir -p \S*(%|\^array_index\^)")
WHOLE_DIRECTIVE = re.compile(r"#(SBATCH|PBS|BSUB) -{1,2}\w[^ ]*( [^ ]+)?")
AMOUNT = re.compile(r"(\d+) ?[KMGT]i?B?\b", re.IGNORECASE)
ABOUT_MEMORY = re.compile(r"mem")


def advice_of(case: dict) -> list[tuple[str, str]]:
    """(rule, what stands behind "Write:") of all findings on a script."""
    report = check_command.report(case["path"], *options(case))
    return [(finding["rule"], finding["fix"]) for finding in report["findings"] if finding["fix"]]


def text_of(case: dict) -> str:
    return case["path"].read_bytes().decode("utf-8", "replace")


def is_csh(case: dict) -> bool:
    return bool(re.match(r"#!.*csh\b", text_of(case)))


def known_amounts(text: str) -> set[int]:
    """The numbers of a script, and what they are in the next larger unit."""
    numbers = {int(number) for number in re.findall(r"\d+", text)}
    return numbers | {number // step for number in numbers for step in (1000, 1024) if number >= step}


def faults(case: dict) -> list[str]:
    """Each piece of advice that cannot be followed as it stands."""
    found = []
    for rule, fix in advice_of(case):
        wrong = {
            "three hyphens": "---" in fix,
            "a typographic sign": TYPOGRAPHIC.search(fix),
            "a folder that is known only after submitting": FOLDER_WITH_PATTERN.search(fix),
            "bash's word in a script for csh": is_csh(case) and re.search(r"\bexport \w+=", fix),
            "a number that is not the script's": ABOUT_MEMORY.search(rule)
            and {int(number) for number in AMOUNT.findall(fix)} - known_amounts(text_of(case)),
        }
        found += [f"{rule}: {what}: {fix}" for what, there in wrong.items() if there]
    return found


@pytest.mark.parametrize("case", ALL, ids=lambda case: case["path"].name)
def test_advice_can_be_followed_as_it_stands(case):
    assert not faults(case)


def test_directive_that_is_advised_is_taken_when_typed(tmp_path):
    """Every whole directive line behind "Write:", alone in a script of its scheduler."""
    lines = {fix for case in ALL for _, fix in advice_of(case) if WHOLE_DIRECTIVE.fullmatch(fix)}
    assert len(lines) >= 5
    for line in sorted(lines):
        path = tmp_path / "job.sh"
        path.write_text(f"#!/bin/bash\n{line}\n\nhostname\n")
        errors = [f for f in check_command.report(path)["findings"] if f["severity"] == "error"]
        assert not errors, (line, errors)


def runs_by_itself(case: dict) -> bool:
    """A file that submits jobs and is run, not submitted."""
    return "submitter_script_not_job_script" in (case.get("warnings_right") or [])


@pytest.mark.parametrize("case", list(filter(runs_by_itself, ALL)), ids=lambda case: case["path"].name)
def test_file_that_submits_is_not_said_to_be_submitted(case):
    text = check_command.run(case["path"]).stdout
    assert not re.search(r"Submit with: (sbatch|qsub|bsub)", text)
    assert re.search(r"\b(ba)?sh \S*" + re.escape(case["path"].name), text)
