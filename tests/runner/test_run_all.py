"""The whole runner on a small tree: what it counts and names, and that a test that fails once fails the run."""

import pytest
from hypothesis import HealthCheck, settings

from runner import packages, summary
from runner.small_tree import SmallTree
from workshop.paths import REPO

PASSES = "def test_runs():\n    pass\n"
SKIPS = 'import pytest\n\n\ndef test_skips():\n    pytest.skip("no such part here")\n'
ONCE = """\
from pathlib import Path

MARK = Path(__file__).with_name("mark")


def test_once():
    known = MARK.exists()
    MARK.touch()
    assert known, "the cause"


def test_never():
    assert False, "another cause"
"""


EXTENSIVE = "import pytest\n\n\n@pytest.mark.extensive\ndef test_more():\n    pass\n"


@pytest.fixture(scope="module")
def tree(tmp_path_factory) -> SmallTree:
    small = SmallTree(tmp_path_factory.mktemp("small"))
    small.write("tests/system-packages.txt", "")
    small.write("pyproject.toml", (REPO / "pyproject.toml").read_text())
    small.write("tests/sessions/test_good.py", PASSES)
    small.write("tests/jobs/test_skips.py", SKIPS)
    small.write("tests/jobs/test_more.py", EXTENSIVE)
    return small


def line_of(printed: str, start: str) -> list[str]:
    """The words behind ``start`` in the line that begins so."""
    return next(line.removeprefix(start).split() for line in printed.splitlines() if line.startswith(start))


@pytest.mark.slow
def test_what_passed_is_not_repeated_and_what_was_skipped_is_named(tree):
    status, printed = tree.run_all("--workers", "2")
    assert status == 0, printed
    assert line_of(printed, "console sessions")[:2] == ["ok", "1"]
    assert line_of(printed, "all")[:2] == ["ok", "4"]  # with style and format, without the extensive one
    assert "1 tests did not run:\n     1  job scripts read: no such part here" in printed
    assert "The whole run: 0." in printed
    status, printed = tree.run_all("--workers", "1")
    assert status == 0, printed
    assert line_of(printed, "console sessions")[:3] == ["ok", "1", "1"]
    assert "1 tests were not repeated" in printed


@pytest.mark.slow
def test_a_strict_run_takes_no_receipt_and_no_excuse(tree):
    tree.run_all("--workers", "1", "tests/sessions")  # leaves a receipt
    status, printed = tree.run_all("--workers", "1", "--all", WORKSHOP_STRICT="1")
    assert status == 1
    assert "jobs/test_skips.py::test_skips: did not run" in printed
    assert line_of(printed, "all")[:2] == ["FAILED", "5"]
    assert "none was taken from a receipt" in printed


@pytest.mark.slow
def test_a_second_try_tells_a_race_from_a_fault_and_saves_neither(tree):
    once = tree.write("tests/train/test_once.py", ONCE)
    broken = tree.write("tests/train/test_broken.py", "import nothing_of_that_name  # noqa: F401\n")
    badly = tree.write("tests/badly.py", "import os\n")
    status, printed = tree.run_all("--workers", "1")
    assert status == 1
    end = printed.partition("What failed (4;")[2]
    assert "train/test_once.py::test_once: failed, passed when tried again (a race: mend it)" in end
    assert "train/test_once.py::test_never: fails each time" in end
    assert "nothing_of_that_name" in end
    assert "F401" in end
    assert line_of(printed, "training")[0] == "FAILED"
    assert line_of(printed, "style")[0] == "FAILED"
    for path in (once, broken, badly, once.with_name("mark")):
        path.unlink()


def test_random_examples_are_not_judged_by_the_clock():
    """Hypothesis gives each 200 ms, and says of one that took longer once that the test is flaky."""
    assert settings.default.deadline is None
    assert HealthCheck.too_slow in settings.default.suppress_health_check


def test_every_folder_has_a_name_in_the_table():
    folders = {path.parent.name for path in REPO.glob("tests/*/test_*.py")}
    assert folders == set(summary.PARTS)


def test_missing_packages_are_named_with_the_command(monkeypatch, tmp_path):
    monkeypatch.setattr(packages, "missing", lambda: ["slurm-wlm"])
    monkeypatch.setattr(packages.os, "geteuid", lambda: 1000)
    hint = packages.install(tmp_path / "apt.log")
    assert "apt-get install --yes --no-install-recommends slurm-wlm" in hint
