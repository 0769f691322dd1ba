"""The course covers what the documents from which it grew contain: every place named in seed_coverage.yml exists."""

import re
from pathlib import Path

import pytest

from workshop.paths import REPO
from workshop.yaml_files import read_yaml

TABLE = read_yaml(Path(__file__).parent / "seed_coverage.yml")
ENTRIES = [
    (f"{name}: {section}", entry)
    for name, document in TABLE["documents"].items()
    for section, entry in document["sections"].items()
] + [(f"command {name}", entry) for name, entry in TABLE["commands"].items()]


@pytest.mark.parametrize(("name", "entry"), ENTRIES, ids=[name for name, _ in ENTRIES])
def test_every_section_and_command_has_its_place(name, entry):
    assert set(entry) <= {"covered", "left_out", "corrected"}
    assert bool(entry.get("covered")) != bool(entry.get("left_out")), "either covered, or left out with a reason"
    for place in entry.get("covered", []):
        page, _, anchor = place.partition("#")
        text = (REPO / "book" / f"{page}.md").read_text()
        assert not anchor or re.search(rf"^\({re.escape(anchor)}\)=$", text, flags=re.M), f"{place}: no such anchor"


def test_all_five_documents_are_listed():
    assert len(TABLE["documents"]) == 5
    assert all(len(document["sections"]) >= 9 for document in TABLE["documents"].values())
