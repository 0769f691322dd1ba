"""There is one order of chapters: the contents, the front page, *Without an account* and the schedules have it."""

import re

import pytest
from test_schedules import SECTIONS, rows

from workshop.book.toc import notebooks
from workshop.paths import REPO

CHAPTERS = [path.stem for path in notebooks()]
# Read when something fails, at any time: in the contents it stands last.
AT_ANY_TIME = {"troubleshooting"}


def linked(text: str) -> list[str]:
    """The chapters to which a text links, each at its first link."""
    names = re.findall(r"\]\((?:book/)?(\w+)\.md(?:#[\w-]+)?\)", text)
    return [name for name in dict.fromkeys(names) if name in CHAPTERS]


def in_order(names: list[str]) -> list[str]:
    return [name for name in CHAPTERS if name in names]


def test_front_page_has_every_chapter_in_the_order_of_the_contents():
    table = [line for line in (REPO / "index.md").read_text().splitlines() if line.startswith("| [")]
    assert [linked(row)[0] for row in table] == CHAPTERS


def test_without_an_account_follows_the_contents():
    text = (REPO / "book" / "self_study.md").read_text()
    steps = re.findall(r"^\d+\. .*$", text[text.index("(order)=") :], flags=re.M)
    named = linked("\n".join(steps))
    assert len(named) >= 19
    assert named == in_order(named)


@pytest.mark.parametrize(("name", "text"), SECTIONS, ids=[name for name, _ in SECTIONS])
def test_schedule_follows_the_contents(name, text):
    named = [chapter for row in rows(text)[2:] for chapter in linked(row[0])]
    named = [chapter for chapter in named if chapter not in AT_ANY_TIME]
    assert named
    assert named == in_order(named)
