"""The rehearsal's launchers read their own words: what the package believes of a launch cannot confirm itself."""

import ast
import sys

import pytest

from workshop.paths import REPO

STANDINS = sorted((REPO / "scripts" / "workshop" / "rehearse" / "standins").glob("*.py"))
OWN = {path.stem for path in STANDINS}


def imported(text: str) -> set[str]:
    """First names of all modules that a program imports, also inside functions and by ``__import__``."""
    found = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add((node.module or "").partition(".")[0])
    return found


@pytest.mark.parametrize("path", STANDINS, ids=lambda path: path.stem)
def test_a_stand_in_imports_nothing_of_the_package(path):
    assert imported(path.read_text()) <= sys.stdlib_module_names | OWN
    assert "jobs.launch" not in path.read_text()


def test_what_runs_a_rehearsal_does_not_ask_how_launches_are_read():
    for path in sorted((REPO / "scripts" / "workshop" / "rehearse").glob("*.py")):
        names = [node.module for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.ImportFrom)]
        assert not [name for name in names if name and name.startswith("workshop.jobs.launch")], path.name


def test_an_import_of_the_package_is_found():
    assert imported("def f():\n    from workshop.jobs.launch import read\n") == {"workshop"}
