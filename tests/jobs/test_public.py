"""Job scripts as people write them: each is right as a whole, or it is wrong (cases_public/README.md)."""

from pathlib import Path

import check_command
import pytest
from case_reading import cases
from public_reading import faults

ALL = cases(Path(__file__).parent / "cases_public")
KNOWN = ("slurm", "pbs", "torque", "lsf")


@pytest.mark.parametrize("case", ALL, ids=lambda case: case["path"].name)
def test_public_script_is_right_as_a_whole(case):
    assert not faults(case)


@pytest.mark.parametrize("case", ALL, ids=lambda case: case["path"].name)
def test_whose_script_it_is_is_seen_without_being_told(case):
    scheduler = check_command.report(case["path"])["scheduler"]
    if case["scheduler"] == "other":
        assert scheduler not in KNOWN
    else:
        assert scheduler == case["scheduler"].removesuffix("pro")


def test_score_of_the_public_scripts(say):
    """Says the number at the end of the run; below 95 % the checker is not to be trusted."""
    right = sum(not faults(case) for case in ALL)
    say(f"public scripts right: {right} of {len(ALL)}")
    assert right >= 0.95 * len(ALL)
