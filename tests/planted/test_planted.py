"""The planted faults: each fits the file that it is for, and (in `make test-all`) is caught by the test it names."""

import re
import subprocess
import sys

import plant
import pytest

from workshop import sites

FAULTS = plant.faults()
# Test -> the faults that it catches: they are planted in one call, which runs it once without a fault.
BY_TEST: dict[str, list[str]] = {}
for one in FAULTS:
    BY_TEST.setdefault(one.caught_by, []).append(one.name)


def test_faults_fit_their_files(after):
    if any(fault.file.startswith("_build/") for fault in FAULTS):
        assert not after("site/"), "the site could not be built"
    problems = {fault.name: plant.problem(fault) for fault in FAULTS}
    assert not {name: why for name, why in problems.items() if why}


def test_the_tests_that_catch_them_exist():
    """pytest finds each of them."""
    nodes = sorted({fault.caught_by for fault in FAULTS})
    assert nodes
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"]
    done = subprocess.run([*command, *nodes], cwd=plant.REPO, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_no_fault_needs_a_cluster_that_a_fork_removes():
    """There the file would be missing, or the test without that parameter."""
    ours = {path.stem for path in sites.FOLDER.glob("*.yml")}
    needs = {fault.name: fault.file + fault.caught_by for fault in FAULTS}
    removed = re.compile(rf"scripts/sites/\w|[\[-]({'|'.join(map(re.escape, ours))})[]-]")
    found = {name: text for name, text in needs.items() if removed.search(text.replace(f"sites/{sites.EXAMPLES}/", ""))}
    assert not found


def test_a_fault_that_cannot_be_planted_is_said(tmp_path):
    (tmp_path / "twice.py").write_text("x = 1\nx = 1\n")
    fault = plant.Fault("some", "tests/a.py::b", "twice.py", "x = 1", "x = 2", "tests/a.py::c")
    assert "occurs 2 times" in plant.problem(fault, tmp_path)
    assert "no other.py" in plant.problem(plant.Fault("some", "a", "other.py", "x", "y", "c"), tmp_path)
    (tmp_path / "list.yml").write_text("- {name: some, file: twice.py}\n")
    with pytest.raises(ValueError, match="some: the fields must be"):
        plant.faults(tmp_path)


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.py", "def f():\n        x = 1\n    y = 2\n", "unindent does not match"),
        ("a.yml", "a: [1, 2\n", "expected ',' or ']'"),
        ("a.toml", "a = \n", "Invalid value"),
        ("a.json", '{"a": 1,}', "Expecting property name"),
        ("a.sbatch", 'if true; then\necho "$SLURM_JOB_ID"\n', "unexpected end of file"),
        ("a.js", "function f( { }\n", "SyntaxError"),
    ],
)
def test_a_fault_after_which_the_file_cannot_be_read_is_said(tmp_path, require, name, text, said):
    """Such a one fails in every test, and shows nothing of the one that it names."""
    if name.endswith(".js"):
        require("node")
    (tmp_path / name).write_text("whole")
    told = plant.problem(plant.Fault("some", "a", name, "whole", text, "c"), tmp_path)
    assert f"with it {name} cannot be read" in told
    assert said in told


@pytest.mark.extensive
@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("names", BY_TEST.values(), ids=lambda names: f"{names[0]}+{len(names) - 1}")
def test_faults_are_caught(names, after):
    assert not after("site/"), "the site could not be built"
    done = subprocess.run([sys.executable, plant.__file__, *names], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
