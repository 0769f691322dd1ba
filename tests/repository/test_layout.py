"""The house is in order: folders, chapters with their notebooks, notebooks without outputs, pages by the rules."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from workshop.book.execute import NotebookFailed, check_source
from workshop.book.toc import documents, notebooks, pages
from workshop.cli import SUBCOMMANDS
from workshop.paths import REPO

TOP_LEVEL = {"book", "notebooks", "scripts", "containers", "tests"}
# Chapters whose notebook the design does not ask for: reference and instructors' pages.
WITHOUT_NOTEBOOK = {
    "index",
    "adapting",
    "check_script",
    "clusters_reference",
    "glossary",
    "references",
    "schedulers_reference",
    "self_study",
    "teaching",
    "workshop_command",
}


def tracked() -> list[str]:
    """Files that git tracks or would track."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(command, cwd=REPO, capture_output=True, text=True, check=True).stdout.splitlines()
    return [name for name in names if (REPO / name).is_file()]


def test_a_linked_environment_is_none_of_the_projects_files(tmp_path):
    """In copies and clones that tests make, .venv is a link: a pattern that ends with / would not leave it out."""
    shutil.copy(REPO / ".gitignore", tmp_path)
    (tmp_path / ".venv").symlink_to(REPO / ".venv")
    subprocess.run(["git", "init", "--quiet"], cwd=tmp_path, check=True)
    listed = ["git", "ls-files", "--others", "--exclude-standard"]
    shown = subprocess.run(listed, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert shown == ".gitignore\n"


def test_top_level_folders():
    folders = {name.split("/")[0] for name in tracked() if "/" in name and not name.startswith(".")}
    assert folders <= TOP_LEVEL


def test_each_chapter_has_its_notebook():
    stems = {path.stem for path in notebooks()}
    chapters = {path.stem for path in pages()} - WITHOUT_NOTEBOOK
    assert chapters == stems


@pytest.mark.parametrize("command", SUBCOMMANDS)
def test_each_command_has_its_row_and_its_section(command: str):
    page = (REPO / "book" / "workshop_command.md").read_text()
    table, _, sections = page.partition("\n## ")
    assert f"[`{command}`](#c-{command})" in table
    assert f"(c-{command})=" in page and f"{{session}} workshop_help_{command}\n" in sections


@pytest.mark.parametrize("chapter", [path.stem for path in notebooks()])
def test_each_chapter_has_two_exercises_and_shows_all_of_its_own(chapter: str):
    """That each check refuses its starter and accepts its solution is tested in tests/exercises."""
    own = {check.parent for check in (REPO / "scripts" / "exercises" / chapter).glob("*/check.py")}
    for folder in own:
        assert {path.stem for path in folder.iterdir()} >= {"starter", "solution", "check"}, folder
    assert len(own) >= 2
    shown = re.findall(r"\{exercise\} (\S+)", (REPO / "book" / f"{chapter}.md").read_text())
    assert {f"{chapter}/{folder.name}" for folder in own} <= set(shown)


def test_every_document_of_the_contents_exists():
    missing = [d for d in documents() if not any((REPO / f"{d}{s}").is_file() for s in (".md", ".ipynb"))]
    assert not missing


def test_no_page_or_notebook_is_outside_the_contents():
    files = {p.relative_to(REPO).with_suffix("").as_posix() for p in (REPO / "book").glob("*.md")}
    files |= {p.relative_to(REPO).with_suffix("").as_posix() for p in (REPO / "notebooks").glob("*.ipynb")}
    assert files <= set(documents())


@pytest.mark.parametrize("path", notebooks(), ids=lambda p: p.stem)
def test_notebook_is_committed_clean(path: Path):
    try:
        check_source(path)
    except NotebookFailed as error:
        pytest.fail(str(error))


@pytest.mark.parametrize("path", pages(), ids=lambda p: p.stem)
def test_files_named_on_a_page_exist(path: Path):
    # A trailing dot ends a sentence, not a file name; a placeholder in capitals stands for any name.
    names = re.findall(r"\b(?:scripts|containers|notebooks)/[\w./-]*\w\.(?:\w+)\b", path.read_text())
    missing = [n for n in names if not re.search(r"[A-Z]{3}", n) and not (REPO / n).exists()]
    assert not missing


@pytest.mark.parametrize("path", pages(), ids=lambda p: p.stem)
def test_scheduler_tabs_have_all_three(path: Path):
    blocks = re.split(r"^:{3,}\{tab-set\}", path.read_text(), flags=re.M)[1:]
    for block in blocks:
        if ":sync-group: scheduler" not in block.split("\n:::{tab-item}")[0]:
            continue
        ids = re.findall(r"^:sync: (\w+)", block, flags=re.M)[:3]
        assert sorted(ids) == ["lsf", "pbs", "slurm"]


def test_tracked_files_are_small():
    large = [n for n in tracked() if (REPO / n).stat().st_size > 1_000_000]
    assert not large


def test_requirements_are_pinned():
    """Each package with one version and the hashes of its files."""
    text = re.sub(r" \\\n +", " ", (REPO / "requirements.txt").read_text())
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    assert lines
    pin = re.compile(r"[\w.-]+(\[[\w, -]+\])?==\S+( ; [^-]+?)?( --hash=sha256:\w{64})+")
    assert [line for line in lines if not pin.fullmatch(line)] == []
    assert "rfc3987-syntax==" not in text, "it costs each program that imports jsonschema a second"


def test_endings_and_keywords_of_job_scripts_are_spelt_once_in_the_tests():
    """Elsewhere ``jobfiles`` is asked: a table of all three, on one line or on neighbouring ones, is a copy of it."""
    copies = []
    for words in (("sbatch", "pbs", "lsf"), ("#SBATCH", "#PBS", "#BSUB")):
        entries = [rf"\"\w+\": \"\.?{word}\"" for word in words]
        table = re.compile(r",\s*".join(entries))
        copies += [path.name for path in (REPO / "tests").rglob("*.py") if table.search(path.read_text())]
    assert sorted(copies) == ["jobfiles.py", "jobfiles.py"]
