"""What pages say of Slurm is held by sessions, tests or pages that exist, or the table says why nothing holds it."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from workshop.book import sessions
from workshop.paths import REPO
from workshop.yaml_files import read_yaml

TABLE = read_yaml(Path(__file__).with_name("claims.yml"))
CLAIMS = [(name, point) for name, points in TABLE.items() for point in points]


@cache
def functions_of(path: str) -> set[str]:
    """The functions of a test file that pytest runs."""
    tree = ast.parse((REPO / path).read_text())
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")}


def shown_on(session: str, page: str) -> bool:
    """Is there such a session, and does the page show it?"""
    wanted = rf"^```\{{session\}} {re.escape(session)}$"
    text = (REPO / page).read_text()
    return (sessions.FOLDER / f"{session}.t").is_file() and bool(re.search(wanted, text, flags=re.M))


def holds(name: str, pages: list[str]) -> bool:
    """``tests/FILE.py::TEST``, or the name of a session that one of the pages shows."""
    path, _, test = name.partition("::")
    return test in functions_of(path) if test else any(shown_on(name, page) for page in pages)


def test_each_claim_has_its_number_in_order():
    assert list(TABLE) == [f"S{number}" for number in range(1, len(TABLE) + 1)]


@pytest.mark.parametrize(("name", "point"), CLAIMS, ids=[f"{name}: {point['what']}" for name, point in CLAIMS])
def test_what_holds_a_claim_exists(name, point):
    assert set(point) in ({"what", "pages", "by"}, {"what", "pages", "not"}), "what holds it, or why nothing does"
    assert point.get("by") or point.get("not")
    assert [page for page in point["pages"] if not (REPO / page).is_file()] == []
    assert [held for held in point.get("by", []) if not holds(held, point["pages"])] == []


@pytest.mark.parametrize(
    "name",
    ["no_such_session", "slurm_signal", "tests/book/test_claims.py::test_no_such", "tests/book/test_claims.py::holds"],
)
def test_a_name_that_holds_nothing_is_found_out(name):
    """``slurm_signal`` is a session, but this page does not show it."""
    assert not holds(name, ["book/first_job.md"])
