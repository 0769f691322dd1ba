"""Receipts: a test is left out only while every kind of input is as it was when it passed."""

import json
import shutil
import subprocess
import sys

import pytest

from runner import receipts
from runner.small_tree import SmallTree
from workshop.book import uses
from workshop.paths import REPO

pytestmark = pytest.mark.slow
WRITES = """\
from pathlib import Path


def test_it():
    Path(__file__).with_name("made.py").write_text("x = 1")
"""
SESSION = "  $ python scripts/train/program.py\n"
PROGRAM = """\
import neighbor, os, sys
open('book/facts.txt').read()
open(os.path.realpath('book/whole.txt')).read()
sys.path.append(os.path.realpath('containers'))
import elsewhere
"""
TESTS = """
import subprocess, sys
from pathlib import Path
import json
import shutil
import subprocess
import sys

import pytest
import session_helper

REPO = Path(__file__).parents[2]
SESSION = Path(__file__).with_name("one.t")


@pytest.mark.parametrize("session", [SESSION], ids=lambda path: path.stem)
def test_session(session):
    assert session_helper.VALUE
    command = session.read_text().split("$ ")[1].split()
    subprocess.run([sys.executable, *command[1:]], cwd=REPO, check=True)


def test_fails():
    assert False


@pytest.mark.skip(reason="no such part")
def test_skipped():
    pass
"""
PACKAGES = """\
Package: munge
Status: install ok installed
Maintainer: Somebody <somebody@example.org>
Architecture: amd64
Version: 0.5.15-2
Description: authentication service
"""
FIRST = {"test_session[one]": "passed", "test_fails": "failed", "test_skipped": "skipped"}
NODE = "sessions/test_some.py::test_session[one]"


@pytest.fixture(scope="module")
def tree(tmp_path_factory) -> SmallTree:
    """A tree whose session has a receipt."""
    small = SmallTree(tmp_path_factory.mktemp("small"))
    small.write("tests/sessions/test_some.py", TESTS)
    small.write("tests/sessions/session_helper.py", "VALUE = 1\n")
    small.write("tests/sessions/one.t", SESSION)
    small.write("tests/sessions/two.t", "  $ echo another session\n")
    small.write("scripts/train/program.py", PROGRAM)
    small.write("scripts/train/neighbor.py", "VALUE = 1\n")
    small.write("book/facts.txt", "opened by the program, named nowhere\n")
    small.write("book/whole.txt", "opened by its whole path\n")
    small.write("containers/elsewhere.py", "VALUE = 1\n")
    small.write("book/unused.txt", "opened by nobody\n")
    # dpkg-query reads a list of packages that can be changed.
    small.write("dpkg/status", PACKAGES)
    small.env["DPKG_ADMINDIR"] = str(small.root / "dpkg")
    assert outcomes(small) == FIRST
    return small


def outcomes(tree: SmallTree, receipts: str = "take") -> dict[str, str]:
    """Name of each test -> passed, failed, skipped or receipt."""
    results = tree.pytest(receipts=receipts)
    found = {nodeid: result["outcome"] for nodeid, result in results["tests"].items()}
    found.update(dict.fromkeys(results["receipts"], "receipt"))
    return {nodeid.split("::")[1]: outcome for nodeid, outcome in found.items()}


def test_only_what_passed_is_taken_and_nothing_in_a_strict_run(tree):
    assert outcomes(tree) == FIRST | {"test_session[one]": "receipt"}
    assert outcomes(tree, "keep") == FIRST


# What a change is called -> a file and its new text (None: one line more), or an environment variable.
CHANGES = {
    "helper": ("tests/sessions/session_helper.py", None),
    "test": ("tests/sessions/test_some.py", None),
    "what all tests share": ("tests/conftest.py", None),
    "text of the session": ("tests/sessions/one.t", None),
    "program": ("scripts/train/program.py", None),
    "module that the program imports": ("scripts/train/neighbor.py", None),
    "file that it opened": ("book/facts.txt", None),
    "file that it opened by its whole path": ("book/whole.txt", None),
    "module from another folder": ("containers/elsewhere.py", None),
    "course's own package": ("scripts/workshop/book/sessions.py", None),
    "pin": ("requirements.txt", "one==2\n"),
    "version of a system package": ("dpkg/status", PACKAGES.replace("0.5.15-2", "0.5.16-1")),
    "new helper": ("tests/sessions/more.py", "VALUE = 2\n"),
    "threads": "OMP_NUM_THREADS",
    "cluster": "SLURM_CONF",
    "engine": "WORKSHOP_ENGINE",
    "another scheduler": "PBS_CONF_FILE",
    "language": "LC_ALL",
    "containers": "APPTAINER_BINDPATH",
    "libraries": "LD_LIBRARY_PATH",
    "what bash reads first": "BASH_ENV",
    "Jupyter's folders": "JUPYTER_PATH",
    "packages": "PIP_INDEX_URL",
    "network": "https_proxy",
    "receipt cut short": ("_build/receipts/RECEIPT", "{"),
    "receipt of another kind": ("_build/receipts/RECEIPT", "[]"),
}
HARMLESS = {
    "nothing": ("tests/sessions/one.t", SESSION),
    "another session": ("tests/sessions/two.t", "  $ echo changed\n"),
    "file that nobody opened": ("book/unused.txt", "changed\n"),
    "a variable that does not count": "SOME_VARIABLE",
}


@pytest.fixture(scope="module")
def reasons(tree, require) -> dict[str, str | None]:
    """Name of each change -> why the session has to run with it; None where it need not."""
    require("dpkg")
    changes = tree.write("changes.json", json.dumps({"node": NODE, "changes": CHANGES | HARMLESS}))
    command = [sys.executable, str(REPO / "tests" / "runner" / "changed_inputs.py"), str(changes)]
    done = subprocess.run(command, cwd=tree.root, env=tree.env, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize("change", CHANGES)
def test_a_changed_input_is_noticed(reasons, change):
    assert reasons[change]


@pytest.mark.parametrize("change", HARMLESS)
def test_what_does_not_count_changes_nothing(reasons, change):
    assert reasons[change] is None


def test_a_file_that_changes_while_the_test_runs_leaves_no_receipt(tree):
    path = tree.write("tests/book/test_writes.py", WRITES)
    assert outcomes(tree)["test_it"] == "passed"
    assert outcomes(tree)["test_it"] == "passed"
    shutil.rmtree(path.parent)


def test_named_files_are_found_with_their_folders(tmp_path):
    small = SmallTree(tmp_path)
    for name in ("scripts/slurm/a.sbatch", "scripts/slurm/b.sbatch", "tests/sessions/help.bash", "containers/c.def"):
        small.write(name, "echo\n")
    small.write("tests/sessions/help.bash", 'cp "$REPO/scripts/slurm/b.sbatch" .\n')

    def found(text: str) -> set[str]:
        return {str(path.relative_to(tmp_path)) for path in receipts.named(text, tmp_path)}

    assert found("  $ sbatch scripts/slurm/a.sbatch") == {"scripts/slurm/a.sbatch"}
    assert found('  $ cp -r "$REPO/scripts/slurm" .') == {"scripts/slurm/a.sbatch", "scripts/slurm/b.sbatch"}
    assert found("  $ . $REPO/tests/sessions/help.bash") == {"tests/sessions/help.bash", "scripts/slurm/b.sbatch"}
    assert "scripts/slurm/a.sbatch" in found('  $ ln -s "$REPO/scripts" scripts')
    assert "scripts/slurm/a.sbatch" in found('  $ cd "$REPO"\n  $ ls scripts')
    assert found("  $ apptainer version") == {"containers/c.def"}
    assert found("  $ echo scripts and containers") == set()


def test_what_programs_leave_in_the_tree_is_no_input(tmp_path):
    """Git ignores these folders; one of the same name elsewhere is the project's."""
    small = SmallTree(tmp_path)
    results = ["data/digits.tar", "runs/a/log.txt", "snapshots/1/a.py", "logs/a.txt", "mine/a.py", "build/lib/a.py"]
    kept = ["book/data/table.json", "scripts/train/data.py"]
    opened = [str(small.write(name, "x\n")) for name in [*results, *kept]]
    assert receipts._of_the_repository(opened, tmp_path) == {tmp_path / name for name in kept}
    assert [name for name in [*results, *kept] if uses.is_input(tmp_path / name, tmp_path)] == kept


def test_variables_of_the_run_itself_do_not_count():
    counted = receipts.counted_variables({"WORKSHOP_STRICT": "1", "WORKSHOP_TRACE": "", "PATH": "/bin", "EDITOR": "vi"})
    assert counted == {"PATH": "/bin"}


def test_every_folder_of_tests_is_either_quick_or_has_receipts():
    quick = {"jobs", "notebooks", "planted", "repository", "scheduling", "sites"}
    folders = {path.parent.name for path in REPO.glob("tests/*/test_*.py")}
    assert folders == quick | set(receipts.READS)
    for names in receipts.READS.values():
        assert all((REPO / name).exists() for name in names if not name.startswith("_build/"))
