"""Receipts: a test is left out only while every kind of input is as it was when it passed."""

import pytest

from runner import receipts
from runner.small_tree import SmallTree

WRITES = """\
from pathlib import Path


def test_it():
    Path(__file__).with_name("made.py").write_text("x = 1")
"""
SESSION = "  $ python scripts/train/program.py\n"
TESTS = """
import subprocess, sys
from pathlib import Path
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
NODE = "sessions/test_some.py::test_session[one]"


@pytest.fixture(scope="module")
def tree(tmp_path_factory) -> SmallTree:
    """A tree whose session has a receipt."""
    small = SmallTree(tmp_path_factory.mktemp("small"))
    small.write("tests/sessions/test_some.py", TESTS)
    small.write("tests/sessions/session_helper.py", "VALUE = 1\n")
    small.write("tests/sessions/one.t", SESSION)
    small.write("tests/sessions/two.t", "  $ echo another session\n")
    small.write("scripts/train/program.py", "import neighbor\nopen('book/facts.txt').read()\n")
    small.write("scripts/train/neighbor.py", "VALUE = 1\n")
    small.write("book/facts.txt", "opened by the program, named nowhere\n")
    small.write("book/unused.txt", "opened by nobody\n")
    # dpkg-query reads a list of packages that can be changed.
    small.write("dpkg/status", PACKAGES)
    small.env["DPKG_ADMINDIR"] = str(small.root / "dpkg")
    assert outcomes(small) == {"test_session[one]": "passed", "test_fails": "failed", "test_skipped": "skipped"}
    return small


def outcomes(tree: SmallTree) -> dict[str, str]:
    """Name of each test -> passed, failed, skipped or receipt."""
    results = tree.pytest()
    found = {nodeid: result["outcome"] for nodeid, result in results["tests"].items()}
    found.update(dict.fromkeys(results["receipts"], "receipt"))
    return {nodeid.split("::")[1]: outcome for nodeid, outcome in found.items()}


def taken(tree: SmallTree) -> bool:
    """Whether the session would be taken from its receipt now."""
    return NODE in tree.pytest("--collect-only")["receipts"]


def test_only_what_passed_has_a_receipt(tree):
    assert outcomes(tree) == {"test_session[one]": "receipt", "test_fails": "failed", "test_skipped": "skipped"}
    assert not tree.pytest("--collect-only", receipts="keep")["receipts"], "strict runs take none"


@pytest.mark.parametrize(
    "name",
    [
        "tests/sessions/session_helper.py",
        "tests/sessions/test_some.py",
        "tests/conftest.py",
        "tests/sessions/one.t",
        "scripts/train/program.py",
        "scripts/train/neighbor.py",
        "scripts/workshop/book/sessions.py",
        "book/facts.txt",
        "requirements.txt",
    ],
)
def test_a_changed_file_is_noticed(tree, name):
    path = tree.root / name
    before = path.read_text()
    path.write_text(before + "\n")
    assert not taken(tree)
    path.write_text(before)
    assert taken(tree), "the same content is the same input"


def test_a_changed_version_of_a_system_package_is_noticed(tree, require):
    require("dpkg")
    status = tree.root / "dpkg" / "status"
    status.write_text(PACKAGES.replace("0.5.15-2", "0.5.16-1"))
    assert not taken(tree)
    status.write_text(PACKAGES)
    assert taken(tree)


@pytest.mark.parametrize("name", ["OMP_NUM_THREADS", "SLURM_CONF", "WORKSHOP_ENGINE", "PBS_CONF_FILE", "LC_ALL"])
def test_a_changed_variable_is_noticed(tree, name, monkeypatch):
    monkeypatch.setitem(tree.env, name, "another")
    assert not taken(tree)


def test_what_does_not_count_changes_nothing(tree, monkeypatch):
    (tree.root / "tests" / "sessions" / "two.t").write_text("  $ echo changed\n")
    (tree.root / "book" / "unused.txt").write_text("changed\n")
    monkeypatch.setitem(tree.env, "SOME_VARIABLE", "another")
    assert taken(tree)


def test_a_receipt_that_cannot_be_read_is_none(tree):
    place = receipts.place(NODE, tree.root / "_build" / "receipts")
    before = place.read_text()
    for text in ("", "{", "[]", before.replace('"files"', '"other"')):
        place.write_text(text)
        assert not taken(tree), text
    place.write_text(before)
    assert taken(tree)


def test_a_file_that_changes_while_the_test_runs_leaves_no_receipt(tree):
    tree.write("tests/sessions/test_writes.py", WRITES)
    tree.pytest("tests/sessions/test_writes.py")
    results = tree.pytest("--collect-only")
    assert "sessions/test_writes.py::test_it" not in results["receipts"]
    (tree.root / "tests" / "sessions" / "test_writes.py").unlink()
    (tree.root / "tests" / "sessions" / "made.py").unlink()


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


def test_variables_of_the_run_itself_do_not_count():
    counted = receipts.counted_variables({"WORKSHOP_STRICT": "1", "WORKSHOP_TRACE": "", "PATH": "/bin", "EDITOR": "vi"})
    assert counted == {"PATH": "/bin"}


def test_every_folder_of_tests_is_either_quick_or_has_receipts():
    quick = {"jobs", "notebooks", "planted", "repository", "scheduling", "sites"}
    folders = {path.parent.name for path in receipts.REPO.glob("tests/*/test_*.py")}
    assert folders == quick | set(receipts.READS)
    for names in receipts.READS.values():
        assert all((receipts.REPO / name).exists() for name in names if not name.startswith("_build/"))
