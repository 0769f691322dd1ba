"""Plant faults, one after the other, and see that the test that should catch each does: ``plant.py [NAME ...]``.

``tests/planted/*.yml`` holds lists of faults, each with ``name``; ``was_caught_by`` (a test that was removed or
narrowed); ``file`` of the repository; ``old``, a text that occurs once in it, and ``new``, which plants the fault and
leaves a file that can be read: what cannot be imported fails in any test; ``caught_by``, the id of the test that must
fail then and passes without.

Faults are planted in a copy of the files that git knows of and of the built site, never in the working tree.
"""

import argparse
import ast
import json
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import yaml

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))  # where pytest finds it, too

from runner import cpu  # noqa: E402

REPO = HERE.parents[1]
LIMIT_S = 900
# Whose job numbers they take, and so whose ports: others than the tests beside these (first_job_id, tests/conftest.py).
LANE = os.environ.get("PYTEST_XDIST_WORKER") or f"gw{secrets.randbelow(7)}"
# How long a reader of pages waits for what a fault keeps from coming (tests/sessions/reader.py).
PATIENCE_S = 120
BUILT = ("_build/html", "_build/notebooks")
# Ending of a file -> what raises where its text cannot be read, or the program that does not end with 0 then.
READERS: dict[str, Callable[[str], object]] = {
    ".py": ast.parse,
    ".toml": tomllib.loads,
    ".json": json.loads,
    ".ipynb": json.loads,
    ".yml": lambda text: yaml.load(text, yaml.CSafeLoader),
    ".yaml": lambda text: yaml.load(text, yaml.CSafeLoader),
}
CHECKERS = {
    **{ending: ["bash", "-n"] for ending in (".sbatch", ".pbs", ".lsf", ".sh", ".bash")},
    ".js": ["node", "--check", "--input-type=module"],
}
FIELDS = ("name", "was_caught_by", "file", "old", "new", "caught_by")


@dataclass(frozen=True)
class Fault:
    """One fault: see above."""

    name: str
    was_caught_by: str
    file: str
    old: str
    new: str
    caught_by: str


def faults(folder: Path = HERE) -> list[Fault]:
    """All faults of the folder's lists.

    Raises:
        ValueError: an entry lacks a field or has one too many, or two have the same name.
    """
    found = []
    for path in sorted(folder.glob("*.yml")):
        for entry in yaml.load(path.read_text(), yaml.CSafeLoader) or []:
            if set(entry) != set(FIELDS):
                raise ValueError(f"{path.name}: {entry.get('name')}: the fields must be {', '.join(FIELDS)}")
            found.append(Fault(**{name: str(entry[name] or "") for name in FIELDS}))
    names = [fault.name for fault in found]
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        raise ValueError(f"the same name twice: {', '.join(sorted(twice))}")
    return found


def problem(fault: Fault, repo: Path = REPO) -> str | None:
    """Why a fault cannot be planted; None where it can."""
    path = repo / fault.file
    if not path.is_file():
        return f"there is no {fault.file}"
    text = path.read_text()
    if text.count(fault.old) != 1:
        return f"its text occurs {text.count(fault.old)} times in {fault.file}"
    if fault.old == fault.new:
        return "it changes nothing"
    why = unreadable(path.suffix, text.replace(fault.old, fault.new))
    return why and f"with it {fault.file} cannot be read: {why}"


def unreadable(ending: str, text: str) -> str | None:
    """Why a text is none of a file with this ending; None where it is one, or nothing here can tell."""
    if ending in READERS:
        try:
            READERS[ending](text)
        except (SyntaxError, ValueError, yaml.YAMLError) as error:
            return " ".join(str(error).split())
    elif ending in CHECKERS and shutil.which(CHECKERS[ending][0]):
        done = subprocess.run(CHECKERS[ending], input=text, capture_output=True, text=True)
        return " ".join(done.stderr.split()) if done.returncode else None
    return None


def copy_tree(target: Path) -> None:
    """Copy what git knows of, what is new and not ignored, and the built site; the environment is the tree's own."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=REPO,
        capture_output=True,
        text=True,
        check=True,
    )
    for name in filter(None, listed.stdout.split("\0")):
        source = REPO / name
        if source.is_file() or source.is_symlink():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            with suppress(FileNotFoundError):  # a program that runs beside this has removed its own file
                shutil.copy2(source, target / name, follow_symlinks=False)
    for name in BUILT:
        if (REPO / name).is_dir():
            shutil.copytree(REPO / name, target / name)
    (target / ".venv").symlink_to(sys.prefix)
    for words in (["init", "--quiet"], ["add", "--all"]):  # some tests ask git which files there are
        subprocess.run(["git", *words], cwd=target, check=True)


def run_test(tree: Path, nodeid: str) -> tuple[int, str]:
    """Run one test in a copy: pytest's exit status, and what it printed."""
    # The package `workshop` of the copy, not the one that is installed from the working tree.
    env = {name: value for name, value in os.environ.items() if not name.startswith(("WORKSHOP_", "PYTEST_"))}
    env |= {"PYTHONPATH": str(tree / "scripts"), "READER_LOOK_S": str(PATIENCE_S), "TEST_LANE": LANE}
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist", nodeid]
    done = subprocess.run(
        command, cwd=tree, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=LIMIT_S
    )
    return done.returncode, done.stdout


@contextmanager
def planted(fault: Fault, tree: Path) -> Iterator[None]:
    """The copy with the fault in it; without it afterwards."""
    path = tree / fault.file
    text = path.read_text()
    path.write_text(text.replace(fault.old, fault.new))
    try:
        yield
    finally:
        path.write_text(text)


def try_fault(fault: Fault, tree: Path, good: dict[str, bool]) -> str:
    """Plant one fault: "caught", or what is wrong. ``good`` remembers which tests pass without a fault."""
    why = problem(fault, tree)
    if why:
        return f"CANNOT BE PLANTED: {why}"
    if fault.caught_by not in good:
        status, printed = run_test(tree, fault.caught_by)
        good[fault.caught_by] = status == 0
        if status != 0:
            print(printed)
    if not good[fault.caught_by]:
        return "THE TEST FAILS WITHOUT IT"
    with planted(fault, tree):
        status, printed = run_test(tree, fault.caught_by)
    if status == 0:
        return "NOT CAUGHT"
    if status != 1:  # 1: tests ran, and some failed
        print(printed)
        return f"PYTEST ENDED WITH STATUS {status}"
    return "caught"


def main() -> int:
    """Plant the chosen faults and print what became of each; 0 where all were caught."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help="faults to plant; all of them if none is given")
    parser.add_argument("--list", action="store_true", help="only list them")
    arguments = parser.parse_args()
    known = faults()
    unknown = set(arguments.names) - {fault.name for fault in known}
    if unknown:
        parser.error(f"no such fault: {', '.join(sorted(unknown))}")
    chosen = [fault for fault in known if not arguments.names or fault.name in arguments.names]
    if arguments.list:
        for fault in chosen:
            print(f"{fault.name}: {fault.file}; was caught by {fault.was_caught_by}, now by {fault.caught_by}")
        return 0
    with tempfile.TemporaryDirectory(prefix="workshop-planted-") as folder:
        Path(folder).chmod(0o755)  # tests with a second user run programs of the copy as that user
        tree = Path(folder) / "tree"
        copy_tree(tree)
        good: dict[str, bool] = {}
        verdicts = {}
        os.environ.pop(cpu.VARIABLE, None)  # what this costs counts for the test that called it
        with closing(cpu.Meter(f"planted-{os.getpid()}")) as meter:
            for fault in chosen:
                before = meter.seconds()
                verdicts[fault] = try_fault(fault, tree, good)
                print(f"{fault.name}: {verdicts[fault]} ({meter.seconds() - before:.1f} s of CPU)", flush=True)
    print(f"\n{'fault':44}{'verdict':12}{'was caught by':64}caught by")
    for fault, verdict in verdicts.items():
        print(f"{fault.name:44}{verdict:12}{fault.was_caught_by:64}{fault.caught_by}")
    return 0 if set(verdicts.values()) <= {"caught"} else 1


if __name__ == "__main__":
    sys.exit(main())
