"""The command ``workshop translate``."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import click

from workshop.cli.check import read_script_of
from workshop.jobs.dialect import spellings
from workshop.jobs.read import UnreadableInput
from workshop.jobs.translate import TARGETS, CannotTranslate, translate

if TYPE_CHECKING:
    from workshop.sites.fill import Filled


@click.command()
@click.argument("file", type=click.Path())
@click.option("--to", required=True, type=click.Choice(TARGETS), help="The scheduler to translate into.")
@click.option(
    "--scheduler",
    type=click.Choice(spellings()),
    help="Whose script it is; found out from the directives if not given.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    help="json: the script, and what became of each option: carried, changed or left_out.",
)
@click.option("--site", metavar="NAME", help="Fill in the result for a site, too; see 'workshop sites'.")
def command(file: str, to: str, scheduler: str | None, form: str, site: str | None) -> None:
    """Print the job script FILE in another scheduler's words.

    What has no counterpart stays as a line that begins '# NOT TRANSLATED', what is to be looked at as one that begins
    '# CHECK'; both quote what FILE has, and are listed on standard error.

    Exit status: 0 = translated, 1 = cannot be translated, 2 = FILE cannot be read.
    """
    try:
        result = translate(read_script_of(file, scheduler), to)
    except (OSError, UnreadableInput) as problem:
        click.echo(f"{file}: {getattr(problem, 'strerror', None) or problem}", err=True)
        sys.exit(2)
    except CannotTranslate as problem:
        click.echo(f"{file}: {problem}", err=True)
        sys.exit(1)
    filled = _filled(result.text, site) if site else None
    text = filled.text if filled else result.text
    if form == "json":
        at_site = {"filled": filled.to_dict()} if filled else {}
        click.echo(json.dumps({**result.to_dict(), "text": text, **at_site}, indent=2, ensure_ascii=False))
        return
    click.echo(text, nl=False)
    told = [f"WARNING: {one}" for one in filled.warnings] + [f"- {one}" for one in filled.notes] if filled else []
    for line in [*result.marks, *told]:
        click.echo(line, err=True)


def _filled(text: str, site: str) -> Filled:
    """The translated script filled in for a site.

    Raises:
        click.ClickException: no such site, or the site cannot run the job.
    """
    from workshop.sites import SiteError, load_site
    from workshop.sites.fill import CannotFill, fill

    try:
        return fill(text, load_site(site))
    except (SiteError, CannotFill, KeyError, ValueError) as problem:
        raise click.ClickException(str(problem)) from problem
