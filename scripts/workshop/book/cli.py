"""``workshop book``: run the notebooks, build the site, record sessions, strip notebooks."""

import sys
import tempfile
import time
from pathlib import Path

import click

from workshop.paths import REPO


@click.group()
def command() -> None:
    """Build the book and keep it true."""


def _run_notebooks(names: tuple[str, ...]) -> bool:
    """Run what is out of date, saying what it does; False where one failed."""
    from workshop.book import execute, toc

    good = True
    sources = [s for s in toc.notebooks() if not names or s.stem in names]
    unknown = set(names) - {s.stem for s in sources}
    if unknown:
        raise click.UsageError(f"no such notebook in _toc.yml: {', '.join(sorted(unknown))}")
    for number, source in enumerate(sources, start=1):
        reason = execute.why_stale(source)
        if reason:
            click.echo(f"[{number}/{len(sources)}] running {source.stem} ({reason}) …")
        started = time.monotonic()
        try:
            outcome = execute.ensure(source)
        except execute.NotebookFailed as error:
            click.echo(f"FAILED after {time.monotonic() - started:.0f} s: {error}", err=True)
            good = False
            continue
        if outcome.ran:
            click.echo(f"[{number}/{len(sources)}] {source.stem}: {outcome.seconds:.0f} s")
    return good


@command.command()
@click.argument("names", nargs=-1)
def notebooks(names: tuple[str, ...]) -> None:
    """Run the notebooks NAMES (all if none is given) where they are out of date."""
    sys.exit(0 if _run_notebooks(names) else 1)


@command.command()
def build() -> None:
    """Run the notebooks that are out of date and make the site in _build/html."""
    from workshop.book import browser, home, minisearch, site

    if not _run_notebooks(()):
        sys.exit(1)
    try:
        built = site.build()
    except site.BuildFailed as error:
        click.echo(f"FAILED: {error}", err=True)
        sys.exit(1)
    if reason := minisearch.missing():
        click.echo(f"Its search is Sphinx's own, which finds less: {reason}.")
    if reason := browser.missing():
        click.echo(f"Check my job script works in a terminal only: {reason}.")
    if reason := home.missing():
        click.echo(f"It does not know where it lives: {reason}")
    click.echo("The site is ready." if built else "Nothing has changed: the site is as it was.")
    click.echo(f"Open {(site.HTML / 'index.html').as_uri()} or run 'make serve'.")


@command.command()
@click.argument("chapter")
@click.option("--after", required=True, metavar="CHAPTER", help="The chapter behind which it stands.")
@click.option("--title", default="", help="Its heading; made from the name where none is given.")
def new(chapter: str, after: str, title: str) -> None:
    """Make the files of a new CHAPTER and its entry in every list; what you have to write says EDIT."""
    from workshop.book.new import CannotMake, new_chapter

    try:
        made = new_chapter(chapter, after, title)
    except CannotMake as error:
        raise click.ClickException(str(error)) from None
    for path in made.new:
        click.echo(f"made     {path}")
    for path in made.changed:
        click.echo(f"changed  {path}")
    click.echo("Write what says EDIT, then: make check")


@command.command()
@click.argument("files", nargs=-1, type=click.Path(exists=True, path_type=Path))
def strip(files: tuple[Path, ...]) -> None:
    """Remove outputs from notebook FILES (all of notebooks/ if none is given) before they are committed."""
    from workshop.book.execute import strip as strip_one

    for path in files or sorted((REPO / "notebooks").glob("*.ipynb")):
        if strip_one(path):
            click.echo(f"stripped {path}")


@command.command()
def messages() -> None:
    """Write the entries of 'When it goes wrong', and messages.json."""
    from workshop.book import messages as entries
    from workshop.logs import wordings

    (wordings.FOLDER.parent / "messages.json").write_text(wordings.as_json(), encoding="utf-8")
    entries.PAGE.write_text(entries.page(entries.PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    click.echo(f"{len(wordings.read())} messages")


def _record(wanted: list[Path], slurm: str) -> None:
    """Record sessions on a practice cluster; one with another Slurm is made for them."""
    from workshop.book import sessions
    from workshop.cluster import Cluster

    with tempfile.TemporaryDirectory() as folder, Cluster.running(folder if slurm else None, slurm=slurm) as cluster:
        cluster.wait_accounting()
        for session in wanted:
            sessions.record(session, cluster.run, cluster.environment())
            problems = sessions.mismatches(session)
            verdict = "\n  ".join(["differs", *problems]) if problems else "as expected"
            click.echo(f"{session.stem}: {verdict}")


@command.command()
@click.argument("names", nargs=-1)
def record(names: tuple[str, ...]) -> None:
    """Run the console sessions NAMES on a practice cluster and keep their output.

    Without NAMES those of not_typed.yml; the others are recorded as they are typed (make sessions).
    """
    from workshop.book import sessions

    wanted = [session for session in sessions.all_sessions() if session.stem in (names or sessions.not_typed())]
    for version in sorted({sessions.slurm_of(session) for session in wanted}):
        _record([session for session in wanted if sessions.slurm_of(session) == version], version)
