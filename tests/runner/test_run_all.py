"""The whole runner on a small tree: what it counts and names, and that a test that fails once fails the run."""

import pytest

from runner import packages, summary
from runner.small_tree import SmallTree
from workshop.paths import REPO

PASSES = "def test_runs():\n    pass\n"
SKIPS = "import pytest\n\n\ndef test_skips():\n    pytest.skip('no such part here')\n"
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


@pytest.fixture(scope="module")
def tree(tmp_path_factory) -> SmallTree:
    small = SmallTree(tmp_path_factory.mktemp("small"))
    small.write("tests/system-packages.txt", "")
    small.write(".ruff.toml", (REPO / ".ruff.toml").read_text())
    small.write("tests/sessions/test_good.py", PASSES)
    return small


def line_of(printed: str, start: str) -> list[str]:
    """The words of the line that begins so."""
    return next(line.split() for line in printed.splitlines() if line.startswith(start))


def test_a_good_run_and_a_second_one_from_receipts(tree):
    status, printed = tree.run_all()
    assert status == 0, printed
    assert line_of(printed, "console sessions")[2:4] == ["ok", "1"]
    assert "No test was skipped." in printed
    assert "The whole run: 0." in printed
    status, printed = tree.run_all()
    assert status == 0, printed
    assert line_of(printed, "console sessions")[2:5] == ["ok", "1", "1"]
    assert "1 tests were not repeated" in printed
    status, printed = tree.run_all(WORKSHOP_STRICT="1")
    assert status == 0, printed
    assert "none was taken from a receipt" in printed


def test_a_skipped_test_is_named_and_fails_a_strict_run(tree):
    path = tree.write("tests/jobs/test_skips.py", SKIPS)
    status, printed = tree.run_all("tests/jobs")
    assert status == 0, printed
    assert "1 tests did not run" in printed
    assert "1  job scripts read: no such part here" in printed
    status, printed = tree.run_all("tests/jobs", WORKSHOP_STRICT="1")
    assert status == 1
    assert "jobs/test_skips.py::test_skips: did not run" in printed
    path.unlink()


def test_a_second_try_tells_a_race_from_a_fault_and_saves_neither(tree):
    path = tree.write("tests/train/test_once.py", ONCE)
    status, printed = tree.run_all("tests/train", "tests/sessions")
    assert status == 1
    end = printed.partition("What failed (2;")[2]
    assert "train/test_once.py::test_once: failed, passed when tried again (a race: mend it)" in end
    assert "train/test_once.py::test_never: fails each time" in end
    assert "the cause" in end and "another cause" in end
    assert line_of(printed, "training")[1] == "FAILED"
    path.unlink()
    path.with_name("mark").unlink()


def test_a_module_that_cannot_be_imported_fails_the_run(tree):
    path = tree.write("tests/train/test_broken.py", "import nothing_of_that_name  # noqa: F401\n")
    status, printed = tree.run_all("tests/train", "tests/sessions")
    assert status == 1
    assert "nothing_of_that_name" in printed.partition("What failed")[2]
    path.unlink()


def test_a_failing_command_fails_the_run(tree):
    path = tree.write("tests/badly.py", "import os\n")
    status, printed = tree.run_all("tests/sessions")
    assert status == 1
    assert "F401" in printed.partition("What failed")[2]
    path.unlink()


def test_extensive_tests_run_where_they_are_asked_for(tree):
    text = "import pytest\n\n\n@pytest.mark.extensive\ndef test_more():\n    pass\n"
    path = tree.write("tests/jobs/test_more.py", text)
    assert line_of(tree.run_all("tests/jobs", "tests/sessions")[1], "all")[2] == "3"  # with style and format
    assert line_of(tree.run_all("--all", "tests/jobs", "tests/sessions")[1], "all")[2] == "4"
    path.unlink()


def test_every_folder_has_a_name_in_the_table():
    folders = {path.parent.name for path in REPO.glob("tests/*/test_*.py")}
    assert folders == set(summary.PARTS)


def test_missing_packages_are_named_with_the_command(monkeypatch, tmp_path):
    monkeypatch.setattr(packages, "missing", lambda: ["slurm-wlm"])
    monkeypatch.setattr(packages.os, "geteuid", lambda: 1000)
    hint = packages.install(tmp_path / "apt.log")
    assert "apt-get install --yes --no-install-recommends slurm-wlm" in hint
