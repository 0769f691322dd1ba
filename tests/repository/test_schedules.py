"""The schedules for instructors and the list for self-study fit the minutes that the chapters announce."""

import re

import pytest

from workshop.book.toc import notebooks
from workshop.paths import REPO

BOOK = REPO / "book"
SECTIONS = re.findall(r"^### (.*?)\n(.*?)(?=^#|\Z)", (BOOK / "teaching.md").read_text(), flags=re.M | re.S)


def announced(chapter: str) -> tuple[int, int]:
    """Minutes of teaching and of exercises at the top of a chapter."""
    found = re.search(r"\*\*Teaching\*\* (\d+) min · \*\*Exercises\*\* (\d+) min", (BOOK / chapter).read_text())
    return int(found[1]), int(found[2])


def rows(text: str) -> list[list[str]]:
    return [
        [cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("| ")
    ]


@pytest.mark.parametrize(("name", "text"), SECTIONS, ids=[name for name, _ in SECTIONS])
def test_schedule_adds_up(name, text):
    total = 0
    for what, teaching, exercises, left_out in rows(text)[2:]:
        minutes = int(teaching), int(exercises or 0)
        total += sum(minutes)
        chapter = re.search(r"\((\w+\.md)\)", what)
        if chapter:
            full = announced(chapter[1])
            assert all(mine <= whole for mine, whole in zip(minutes, full, strict=True)), (what, full)
            cut = minutes[0] < full[0]
            assert bool(left_out) or not cut, f"{what} is shortened: say what to leave out"
    assert int(re.search(r"Together (\d+) minutes", text)[1]) == total


def test_there_are_three_schedules():
    assert len(SECTIONS) == 3


def self_study() -> list[list[str]]:
    """Rows of the table of chapters for self-study, without its head."""
    text = (BOOK / "teaching.md").read_text()
    return rows(text[text.index("(self-study-chapters)=") :].split("\n(", 1)[0])[2:]


@pytest.mark.parametrize(("chapters", "minutes", "when"), self_study(), ids=lambda cell: cell[:30])
def test_self_study_names_the_minutes_of_its_chapters(chapters, minutes, when):
    total = [sum(announced(name)) for name in re.findall(r"\((\w+\.md)\)", chapters)]
    assert total
    assert when
    assert [int(number) for number in re.findall(r"\d+", minutes)] == sorted({min(total), max(total)})


def test_every_chapter_is_in_a_schedule_or_for_self_study():
    named = set(re.findall(r"\((\w+)\.md\)", "".join(text for _, text in SECTIONS)))
    named |= {name for row in self_study() for name in re.findall(r"\((\w+)\.md\)", row[0])}
    assert {path.stem for path in notebooks()} <= named


def test_the_first_hour_is_an_hour_and_ends_with_the_output_of_a_job_of_ones_own():
    text = (REPO / "book" / "self_study.md").read_text()
    hour = rows(text[text.index("(first-hour)=") :].split("\n(", 1)[0])[1:]
    assert sum(int(row[0]) for row in hour) == 60
    assert "mine.sbatch" in hour[-1][1]
    shown = text[: text.index("(first-hour)=")]
    assert "{session} self_study_own" in shown
    own = (REPO / "tests" / "sessions" / "self_study_own.t").read_text()
    assert own.rindex("$ cat mine-*.out") > own.index("sbatch --wait mine.sbatch")
