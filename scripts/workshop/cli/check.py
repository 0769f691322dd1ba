"""The command ``workshop check``."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import click

from workshop.jobs.asked import UNREADABLE, Asked, checked, mended, not_read, read, status, unreadable, why
from workshop.jobs.check import Report
from workshop.jobs.dialect import spellings
from workshop.jobs.model import Script
from workshop.jobs.profile import Profile
from workshop.jobs.read import UnreadableInput
from workshop.jobs.report import annotations, short, text


@click.command()
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=click.Path())
@click.option(
    "--scheduler",
    type=click.Choice(spellings()),
    help="Whose script it is; found out from the directives if not given.",
)
@click.option("--site", metavar="NAME", help="Check against the facts of a site, too; see 'workshop sites'.")
@click.option("--slurm-version", metavar="X.YY", help="Slurm's version, where it matters; beats the site's.")
@click.option("--submit", metavar="COMMAND", help="How you hand it over, for example 'bsub job.lsf'.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "github"]),
    default="text",
    show_default=True,
    help="github: annotations of a pull request, in a workflow of GitHub.",
)
@click.option("--quiet", is_flag=True, help="Print errors and warnings alone, and nothing on a FILE that has none.")
@click.option(
    "--fix", "mend", is_flag=True, help="Print the script with every edit that is safe; the report goes to stderr."
)
@click.option("--in-place", is_flag=True, help="Write the mended script into FILE and keep the old one as FILE.orig.")
@click.option("--diff", is_flag=True, help="Print what would be changed, as patch(1) reads it; FILE stays as it is.")
def command(
    files: tuple[str, ...],
    scheduler: str | None,
    site: str | None,
    slurm_version: str | None,
    submit: str | None,
    form: str,
    quiet: bool,
    mend: bool,
    in_place: bool,
    diff: bool,
) -> None:
    """Say what each job script FILE really asks for, and what is wrong with it; '-' is standard input.

    Exit status: 0 without errors, 1 with errors (with --fix: with errors that are left), 2 where a FILE or the site
    cannot be read, or FILE.orig is there already and nothing was written.
    """
    _sensible(files, form, quiet, mend, in_place, diff)
    profile = _load_profile(site)
    if slurm_version:
        profile = replace(profile or Profile(), slurm_version=slurm_version)
    asked = Asked(scheduler, profile, submit)
    if mend or in_place or diff:
        statuses = [_mend(file, asked, in_place, diff) for file in files]
    elif form == "json":
        statuses = _as_json(files, asked)
    elif form == "github":
        statuses = [_as_annotations(file, asked, quiet) for file in files]
    elif quiet:
        statuses = [_as_text(file, asked, short) for file in files]
    else:
        statuses = [_as_text(file, asked, text, between="\n" if n else "") for n, file in enumerate(files)]
    sys.exit(max(statuses))


def _sensible(files: tuple[str, ...], form: str, quiet: bool, mend: bool, in_place: bool, diff: bool) -> None:
    """Which options go together.

    Raises:
        click.UsageError: exit status 2.
    """
    if in_place and diff:
        raise click.UsageError("--in-place writes, --diff only shows: give one of them")
    if in_place and "-" in files:
        raise click.UsageError("standard input cannot be written in place: use --fix alone")
    if mend and not (in_place or diff) and len(files) > 1:
        raise click.UsageError("--fix prints one script: with several files add --in-place or --diff")
    if (mend or in_place or diff) and (quiet or form != "text"):
        option = "--quiet" if quiet else f"--format {form}"
        raise click.UsageError(f"{option} is for the report alone, without --fix and --diff")
    if quiet and form == "json":
        raise click.UsageError("--format json has every finding: leave --quiet out")


def _as_text(file: str, asked: Asked, shown: Callable[[Report], str], between: str = "") -> int:
    try:
        report = _checked(file, asked)
    except (OSError, UnreadableInput) as problem:
        click.echo(f"{file}: {why(problem)}", err=True)
        return UNREADABLE
    click.echo(between + shown(report), nl=False)
    return status(report)


def _as_annotations(file: str, asked: Asked, quiet: bool) -> int:
    try:
        report = _checked(file, asked)
        findings = report.of("error", "warning") if quiet else report.findings
        code = status(report)
    except (OSError, UnreadableInput) as problem:
        findings, code = [not_read(problem)], UNREADABLE
    click.echo(annotations(file, findings), nl=False)
    return code


def _as_json(files: tuple[str, ...], asked: Asked) -> list[int]:
    """One object for one file, a list for several."""
    told: list[dict[str, Any]] = []
    statuses = []
    for file in files:
        try:
            report = _checked(file, asked)
            told.append(report.to_dict())
            statuses.append(status(report))
        except (OSError, UnreadableInput) as problem:
            if len(files) > 1:
                click.echo(f"{file}: {why(problem)}", err=True)
            told.append(unreadable(file, problem))
            statuses.append(UNREADABLE)
    click.echo(json.dumps(told if len(files) > 1 else told[0], indent=2, ensure_ascii=False))
    return statuses


def _checked(file: str, asked: Asked) -> Report:
    return checked(file, _bytes(file), asked)


def read_script_of(file: str, scheduler: str | None) -> Script:
    """The script in ``file``; ``-`` is standard input.

    Raises:
        OSError, UnreadableInput: see ``read_script``.
    """
    return read(file, _bytes(file), scheduler)


def _bytes(file: str) -> bytes:
    if file == "-":
        return sys.stdin.buffer.read()
    with open(file, "rb") as stream:
        return stream.read()


def _mend(file: str, asked: Asked, in_place: bool, diff: bool) -> int:
    """Makes the safe edits of one file and gives its exit status."""
    try:
        before = _bytes(file)
        result = mended(file, before, asked)
        if in_place and result.after != before:
            _write(file, before, result.after)
    except (OSError, UnreadableInput) as problem:
        click.echo(f"{file}: {why(problem)}", err=True)
        return UNREADABLE
    if diff:
        from workshop.jobs.fix import difference

        click.echo(b"".join(difference(before, result.after, file)), nl=False)
    elif not in_place:
        click.echo(result.after, nl=False)
    click.echo(result.said, nl=False, err=True)
    return status(result.report)


def _write(file: str, before: bytes, after: bytes) -> None:
    """Keeps the old text as FILE.orig, then writes the new one.

    Raises:
        OSError: FILE.orig is there already, or something cannot be written; FILE is then as it was.
    """
    kept = file + ".orig"
    try:
        with open(kept, "xb") as copy:
            copy.write(before)
    except FileExistsError as there:
        raise OSError(f"not written: {kept} is there already; move it away first") from there
    shutil.copystat(file, kept)
    with open(file, "wb") as stream:
        stream.write(after)


def _load_profile(site: str | None) -> Profile | None:
    """The profile of a named site.

    Raises:
        click.BadParameter: no such site (exit status 2).
    """
    if site is None:
        return None
    from workshop.sites import load_site

    try:
        return load_site(site).profile()
    except (KeyError, ValueError, OSError) as problem:
        message = problem.args[0] if isinstance(problem, KeyError) and problem.args else problem
        raise click.BadParameter(f"site '{site}': {message}", param_hint="--site") from problem
