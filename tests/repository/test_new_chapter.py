"""``workshop book new`` makes a chapter that lacks nothing for which the tests of the repository's structure ask."""

import re
import shutil
import sys
from pathlib import Path

import pytest
from copies import copy_repository, run_in

from workshop.book.new import EXERCISES, CannotMake, new_chapter
from workshop.book.toc import documents
from workshop.paths import REPO

NAME, AFTER = "invented_chapter", "restarts"
# The tests that speak of chapters and need no site, no Slurm and no training.
STRUCTURE = ("layout", "schedules", "references", "console_blocks")
OPTIONS = ("-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--durations=0")
CONF = """\
extensions = ["myst_nb", "sphinx_design", "workshop.book.sphinx_ext"]
myst_enable_extensions = ["colon_fence", "deflist"]
nb_execution_mode = "off"
root_doc = "index"
"""


@pytest.fixture(scope="module")
def copy(tmp_path_factory) -> Path:
    """The repository with an invented chapter."""
    root = copy_repository(tmp_path_factory.mktemp("copy"))
    made = run_in(root, "workshop", "book", "new", NAME, "--after", AFTER)
    assert made.returncode == 0, made.stdout
    return root


def structure(copy: Path, *parts: str) -> str:
    """What pytest says of the copy's structure; empty where all is right."""
    files = [f"tests/repository/test_{part}.py" for part in parts]
    result = run_in(copy, sys.executable, "-m", "pytest", *files, *OPTIONS)
    return "" if result.returncode == 0 else result.stdout


def test_the_structure_with_a_new_chapter_is_right(copy):
    assert structure(copy, *STRUCTURE) == ""


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("_toc.yml", "layout"),
        ("book/teaching.md", "schedules"),
        (f"scripts/exercises/{NAME}/second_task/check.py", "layout"),
    ],
)
def test_what_a_chapter_lacks_is_named(copy, name, part):
    text = (copy / name).read_text()
    try:
        shutil.copy(REPO / name, copy / name) if (REPO / name).exists() else (copy / name).unlink()
        assert NAME in structure(copy, part)
    finally:
        (copy / name).write_text(text)


def test_its_exercises_refuse_the_starter_and_accept_the_solution(copy):
    result = run_in(copy, sys.executable, "-m", "pytest", "tests/exercises/test_exercises.py", *OPTIONS, "-k", NAME)
    assert re.search(rf"^{2 * len(EXERCISES)} passed", result.stdout, re.MULTILINE), result.stdout


def test_page_and_notebook_are_built_without_a_warning(copy, tmp_path):
    site = tmp_path / "site"
    files = {f"book/{NAME}.md", f"book/assets/{NAME}_here.svg", f"notebooks/{NAME}.ipynb"}
    files |= {path.relative_to(copy).as_posix() for path in (copy / "scripts" / "exercises" / NAME).rglob("*.*")}
    for name in files:
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(copy / name, site / name)
    (site / "book" / f"{AFTER}.md").write_text("# Before\n")
    contents = "\n".join(["```{toctree}", f"book/{AFTER}", f"book/{NAME}", f"notebooks/{NAME}", "```"])
    (site / "index.md").write_text(f"# Site\n\n{contents}\n")
    (site / "_toc.yml").write_text((copy / "_toc.yml").read_text())
    (site / "conf.py").write_text(CONF)
    built = run_in(copy, sys.executable, "-m", "sphinx", "-W", "-q", "-b", "html", str(site), str(tmp_path / "html"))
    assert built.returncode == 0, built.stdout
    assert "Key points" in (tmp_path / "html" / "book" / f"{NAME}.html").read_text()


def test_it_stands_where_it_was_asked_for(copy):
    order = documents(copy)
    place = order.index(f"notebooks/{AFTER}")
    assert order[place + 1 : place + 3] == [f"book/{NAME}", f"notebooks/{NAME}"]
    rows = [line for line in (copy / "index.md").read_text().splitlines() if line.startswith("| [")]
    chapters = [re.search(r"\(book/(\w+)\.md\)", row)[1] for row in rows]
    assert chapters[chapters.index(AFTER) + 1] == NAME


@pytest.mark.parametrize(
    ("name", "after", "why"),
    [
        ("My-Chapter", AFTER, "small letters"),
        ("restarts", AFTER, "already"),
        ("trial", "nowhere", "no chapter 'nowhere'"),
        ("trial", "glossary", "with a notebook"),
    ],
)
def test_what_cannot_be_made_is_refused(copy, name, after, why):
    with pytest.raises(CannotMake, match=why):
        new_chapter(name, after, repo=copy)


def test_no_file_is_overwritten_and_nothing_is_half_made(copy):
    mine, contents = copy / "book" / "trial.md", (copy / "_toc.yml").read_text()
    mine.write_text("mine")
    try:
        with pytest.raises(CannotMake, match=r"book/trial\.md"):
            new_chapter("trial", AFTER, repo=copy)
        assert mine.read_text() == "mine"
        assert (copy / "_toc.yml").read_text() == contents
        assert not (copy / "notebooks" / "trial.ipynb").exists()
    finally:
        mine.unlink()
