"""The package's rooms: imports go downwards only, schedulers do not know each other, and there is no circle."""

import ast
import sys
from functools import cache
from pathlib import Path

import pytest

from workshop.paths import REPO

PACKAGE = REPO / "scripts" / "workshop"

# From top to bottom. A module belongs to the longest name that begins its own; it may import from its layer and below.
LAYERS = (
    ("workshop.cli", "workshop.__main__", "workshop.apptainer.cli", "workshop.cluster.cli", "workshop.rehearse.cli"),
    ("workshop.book",),
    ("workshop.notebook", "workshop.exercise", "workshop.queue_model", "workshop.in_browser"),
    ("workshop.rehearse", "workshop.cluster", "workshop.practice_ssh", "workshop.apptainer", "workshop.modules"),
    ("workshop.sites.fill", "workshop.sites.builder"),
    ("workshop.sites",),
    ("workshop.jobs",),
    ("workshop.jobs.dialects",),
    ("workshop.jobs.rules",),
    ("workshop.jobs.launch",),
    (
        "workshop.jobs.parts",
        "workshop.jobs.dialect",
        "workshop.jobs.model",
        "workshop.jobs.extra",
        "workshop.jobs.profile",
    ),
    ("workshop.logs.wordings",),
    ("workshop.logs",),
    ("workshop.paths", "workshop.yaml_files", "workshop", "workshop.setup_progress"),
)
LAYER = {name: number for number, names in enumerate(LAYERS) for name in names}
# A scheduler's package is found by its name (jobs/dialect.py), so that nothing above or below imports it.
DIALECTS = "workshop.jobs.dialects."


def modules() -> dict[str, Path]:
    """Dotted name -> file."""
    found = {}
    for path in PACKAGE.rglob("*.py"):
        parts = ("workshop", *path.relative_to(PACKAGE).with_suffix("").parts)
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


MODULES = modules()


def imports(name: str) -> set[str]:
    """Modules of the package that a module imports anywhere, also inside functions."""
    found = set()
    for node in ast.walk(ast.parse(MODULES[name].read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            # from package import module, or from module import name
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {one if one in MODULES else node.module for one in names}
    return {one for one in found if one in MODULES and one != name}


@cache
def imported() -> dict[str, set[str]]:
    """Module -> modules that it imports; made for the first test that asks, not in each process that lists tests."""
    return {name: imports(name) for name in MODULES}


def layer(name: str) -> int:
    while name not in LAYER:
        name = name.rpartition(".")[0]
    return LAYER[name]


def room(name: str) -> str:
    """The scheduler of a module of ``jobs/dialects``; empty for all others."""
    return name.removeprefix(DIALECTS).partition(".")[0] if name.startswith(DIALECTS) else ""


def upwards(graph: dict[str, set[str]]) -> list[str]:
    return [f"{one} imports {other}" for one in graph for other in graph[one] if layer(other) < layer(one)]


def circles(graph: dict[str, set[str]]) -> list[set[str]]:
    """Sets of modules that import each other, directly or over others."""
    reached = {name: set(graph[name]) for name in graph}
    while True:
        more = {name: found.union(*(reached[other] for other in found)) for name, found in reached.items()}
        if more == reached:
            break
        reached = more
    return [{other for other in found if name in reached[other]} for name, found in reached.items() if name in found]


def test_every_module_is_in_a_room():
    assert not [name for name in MODULES if layer(name) == LAYER["workshop"] and name not in LAYER]


def test_imports_go_downwards_only():
    assert upwards(imported()) == []


def test_schedulers_do_not_know_each_other():
    crossed = [
        (one, other) for one in imported() for other in imported()[one] if room(other) and room(other) != room(one)
    ]
    assert crossed == []


def test_nobody_imports_a_command_line_or_the_book():
    wrong = [
        (one, other)
        for one in imported()
        for other in imported()[one]
        if layer(other) <= LAYER["workshop.book"] and layer(one) > layer(other)
    ]
    assert wrong == []


def test_exercises_import_no_command_line():
    texts = {path: path.read_text() for path in (REPO / "scripts" / "exercises").rglob("*.py")}
    assert texts and not [path for path, text in texts.items() if "workshop.cli" in text or "workshop.book" in text]


def test_there_is_no_circle():
    assert circles(imported()) == []


# The one place that knows the parser; it imports it when it is asked, and not in a browser.
PARSER = {"workshop.jobs.parts.grammar": {"tree_sitter", "tree_sitter_bash"}}


def test_the_part_that_runs_in_a_browser_imports_the_standard_library_only():
    allowed = sys.stdlib_module_names | {"workshop"}
    for name in (name for name in MODULES if name.startswith("workshop.jobs")):
        tree = ast.parse(MODULES[name].read_text())
        found = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
        found |= {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module}
        assert {one.partition(".")[0] for one in found} <= allowed | PARSER.get(name, set()), name
        assert not {one for one in found if one.startswith("workshop.") and not one.startswith("workshop.jobs")}, name


def test_the_reading_of_logs_can_be_copied():
    """It stands alone: the standard library and no other module of the package."""
    tree = ast.parse(MODULES["workshop.logs.why"].read_text())
    found = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    found |= {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert found and {one.partition(".")[0] for one in found} <= sys.stdlib_module_names


@pytest.mark.parametrize("module", ["workshop.jobs.model", "workshop.jobs.parts.text", "workshop.sites"])
def test_an_import_that_goes_up_is_found(module):
    assert upwards(imported() | {module: imported()[module] | {"workshop.jobs.check", "workshop.sites.fill"}})


def test_a_circle_is_found():
    assert circles(imported() | {"workshop.jobs.model": {"workshop.jobs.check"}})
