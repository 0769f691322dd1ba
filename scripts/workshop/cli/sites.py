"""``workshop sites``: list the clusters of the course, or show one with the source of every fact."""

import json

import click

from workshop import sites
from workshop.sites.show import as_json, describe, overview, summary


@click.command(name="sites")
@click.argument("name", required=False)
@click.option("--format", "style", type=click.Choice(["text", "json"]), default="text", show_default=True)
def command(name: str | None, style: str) -> None:
    """List the clusters whose facts the course knows, or show all facts of NAME with their sources.

    NAME is a cluster's name, or the path of a site file that you are writing: it is checked first.
    """
    try:
        found = [sites.load_site(name)] if name else sites.all_sites()
    except sites.SiteError as error:
        click.echo(error, err=True)
        raise SystemExit(2) from None
    if style == "json":
        data = as_json(found[0]) if name else [summary(site) for site in found]
        click.echo(json.dumps(data, indent=2, ensure_ascii=False))
    else:
        click.echo(describe(found[0]) if name else overview(found))
