"""Each finding of the audit of ``workshop check``, ``translate``, ``fill`` and ``rehearse`` is held by a case or a test
that exists, or it says why not."""

import ast
from functools import cache
from pathlib import Path

import pytest

from workshop.paths import REPO
from workshop.yaml_files import read_yaml

HERE = Path(__file__).parent
TABLE = read_yaml(HERE / "audit_findings.yml")
POINTS = [(finding, point) for finding, points in TABLE.items() for point in points]
# T46, T59 and T63 are of severity C and of no kind that has a test.
TOOLS = [number for number in range(29, 65) if number not in (46, 59, 63)]
FINDINGS = [*(f"T{n}" for n in range(1, 29)), "V12", "H14", *(f"T{n}" for n in TOOLS), "P37", "P38"]


@cache
def cases() -> set[str]:
    """The names of all cases that have a script and an expectation."""
    expected = {path.with_suffix("") for path in HERE.glob("cases*/*.expect")}
    scripts = {path for path in HERE.glob("cases*/*.*") if path.suffix != ".expect"}
    return {path.stem for path in scripts if path.with_suffix("") in expected}


@cache
def functions_of(path: str) -> set[str]:
    """The functions of a test file that pytest runs."""
    tree = ast.parse((REPO / path).read_text())
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")}


def exists(name: str) -> bool:
    """``tests/FILE.py::TEST``, or the name of a case."""
    path, _, test = name.partition("::")
    return test in functions_of(path) if test else name in cases()


def test_no_finding_is_missing():
    assert list(TABLE) == FINDINGS


@pytest.mark.parametrize(("finding", "point"), POINTS, ids=[f"{finding}: {point['what']}" for finding, point in POINTS])
def test_what_holds_a_finding_exists(finding, point):
    assert set(point) in ({"what", "by"}, {"what", "not"}), "either by cases and tests, or why not"
    assert point.get("by") or point.get("not")
    assert [name for name in point.get("by", []) if not exists(name)] == []


@pytest.mark.parametrize(
    "name", ["no_such_case", "tests/jobs/test_cases.py::test_no_such", "tests/jobs/test_cases.py::score"]
)
def test_a_name_that_is_none_is_found_out(name):
    assert not exists(name)
