"""``workshop fill``: a job script turned into one for a named cluster."""

import json
from pathlib import Path

import click

from workshop import sites
from workshop.jobs.read import UnreadableInput
from workshop.sites.fill import CannotFill, describe_target, fill


@click.command(name="fill")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--site", "site_name", required=True, help="A name of 'workshop sites', or a site file of your own.")
@click.option("-A", "--account", help="Your account or project; else the site's form stays, marked # EDIT.")
@click.option("--mail", help="Address for mail when the job ends or fails.")
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="New file to write; else stdout.")
@click.option("--force", is_flag=True, help="Overwrite the file of --output where there is one.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    help="json: the script, and what became of each option: carried, changed or left_out; and those added.",
)
def command(
    file: Path, site_name: str, account: str | None, mail: str | None, output: Path | None, force: bool, form: str
) -> None:
    """Write FILE for the cluster of --site; what changed, and why, goes to stderr.

    Only what the cluster demands is changed: filling in a filled script changes nothing.

    Ends with 1 and the reason where the cluster cannot run the job, with 2 where a file cannot be read or written.
    """
    try:
        site = sites.load_site(site_name)
    except sites.SiteError as error:
        click.echo(error, err=True)
        raise SystemExit(2) from None
    try:
        filled = fill(file, site, account, mail, saved_as=output)
    except CannotFill as reason:
        click.echo(f"{file}: cannot be filled for {site.title}.\n  {reason}", err=True)
        raise SystemExit(1) from None
    except UnreadableInput as error:
        click.echo(error, err=True)
        raise SystemExit(2) from None
    if output:
        _write(output, filled.text, force)
    if form == "json":
        click.echo(json.dumps(filled.to_dict(), indent=2, ensure_ascii=False))
        return
    if not output:
        click.echo(filled.text, nl=False)
    if not filled.warnings:
        click.echo(f"For {describe_target(site)}.", err=True)
    for warning in filled.warnings:
        click.secho(f"WARNING: {warning}", err=True, bold=True)
    for note in filled.notes:
        click.echo(f"- {note}", err=True)


def _write(output: Path, text: str, force: bool) -> None:
    """Write a new file; one that is there is somebody's work and is overwritten only with --force."""
    try:
        with output.open("w" if force else "x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        click.echo(
            f"{output} exists already and is left as it is. Choose another name, or overwrite: --force", err=True
        )
        raise SystemExit(2) from None
    except OSError as error:
        click.echo(f"{output} cannot be written: {error.strerror}.", err=True)
        raise SystemExit(2) from None
