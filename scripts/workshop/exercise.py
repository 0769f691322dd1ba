"""``workshop exercise``: list the exercises, copy a starter, check a solution.

An exercise is a folder ``scripts/exercises/CHAPTER/NAME/`` with ``starter.*``, ``solution.*`` and ``check.py``, whose
function ``check(path)`` returns what is still wrong with the learner's file: an empty list means that it is right.
"""

import contextlib
import importlib.util
import os
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from workshop.paths import REPO, SCRIPTS

EXERCISES = SCRIPTS / "exercises"


def all_exercises() -> list[str]:
    """Names ``chapter/name`` of all exercises."""
    return sorted(str(p.parent.relative_to(EXERCISES)) for p in EXERCISES.glob("*/*/check.py"))


def in_reading_order() -> list[str]:
    """Names of all exercises: chapters as in ``_toc.yml``, within a chapter as on its page."""
    chapters = re.findall(r"\bfile: book/(\S+)", (REPO / "_toc.yml").read_text(encoding="utf-8"))
    order = [name for chapter in chapters for name, _ in _on_page(chapter)]
    return sorted(all_exercises(), key=lambda name: (order.index(name) if name in order else len(order), name))


def title(name: str) -> str:
    """What the page calls an exercise; empty where no page has it."""
    return dict(_on_page(name.split("/")[0])).get(name, "")


def _on_page(chapter: str) -> list[tuple[str, str]]:
    """Name and title of each exercise that a chapter's page shows."""
    page = REPO / "book" / f"{chapter}.md"
    text = page.read_text(encoding="utf-8") if page.is_file() else ""
    return re.findall(r"^```\{exercise\} (\S+)\n(.*)$", text, flags=re.MULTILINE)


def _folder(name: str) -> Path:
    folder = EXERCISES / name
    if not (folder / "check.py").is_file():
        raise click.UsageError(f"no exercise {name!r}. These exist:\n  " + "\n  ".join(all_exercises()))
    return folder


def part(name: str, stem: str) -> Path:
    """The file ``starter.*`` or ``solution.*`` of an exercise."""
    (found,) = _folder(name).glob(f"{stem}.*")
    return found


def check(name: str, path: str | Path) -> list[str]:
    """What is wrong with the learner's file ``path``, one sentence each; empty where the exercise is solved."""
    source = _folder(name) / "check.py"
    spec = importlib.util.spec_from_file_location(f"check_{name.replace('/', '_')}", source)
    module = importlib.util.module_from_spec(spec)
    with _no_bytecode():
        spec.loader.exec_module(module)
        return module.check(Path(path))


@contextlib.contextmanager
def _no_bytecode() -> Iterator[None]:
    """Keep no compiled copy of the learner's file: Python takes it for the file itself after a change in the same
    second that leaves the file as long as it was.
    """
    before, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        yield
    finally:
        sys.dont_write_bytecode = before


def stand_ins(folder: Path, programs: dict[str, str]) -> str:
    """Make programs that note how they are called, for a check that runs the learner's script.

    Args:
        folder: of this check alone; the programs go to ``bin`` in it.
        programs: name of the command -> text of the program, with its ``#!`` line.

    Returns:
        A PATH in which they come first.
    """
    place = folder / "bin"
    place.mkdir()
    for name, text in programs.items():
        (place / name).write_text(text)
        (place / name).chmod(0o755)
    return f"{place}{os.pathsep}{os.environ['PATH']}"


@click.group()
def command() -> None:
    """Exercises of the workshop."""


@command.command("list")
def list_command() -> None:
    """List the exercises, chapter by chapter, with their titles."""
    names = in_reading_order()
    width = max(map(len, names))
    for name in names:
        click.echo(f"{name:{width}}  {title(name)}".rstrip())


@command.command()
@click.argument("name")
@click.argument("target", required=False, type=click.Path(path_type=Path))
def start(name: str, target: Path | None) -> None:
    """Copy the starter of exercise NAME to TARGET (default: my_NAME in this folder)."""
    starter = part(name, "starter")
    target = target or Path(f"my_{name.rsplit('/', 1)[-1]}{starter.suffix}")
    if target.exists():
        raise click.ClickException(f"{target} exists already and is left as it is. Choose another name.")
    shutil.copyfile(starter, target)
    if target.suffix in (".sbatch", ".pbs", ".lsf") and target.suffix != starter.suffix:
        click.echo(f"Mind: the starter is a {starter.suffix} file, and {target} now holds it as it is.")
    click.echo(f"Edit {target}, then: workshop exercise check {name} {target}")


@command.command("check")
@click.argument("name")
@click.argument("path", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def check_command(name: str, path: Path) -> None:
    """Check your file PATH against exercise NAME: exit code 0 where it is solved, 1 where it is not yet."""
    problems = check(name, path)
    for problem in problems:
        click.echo(f"- {problem}")
    click.echo("Not there yet." if problems else "Solved.")
    sys.exit(1 if problems else 0)
