"""The command ``workshop check``."""

from __future__ import annotations

import json
import os
import sys

import click

from workshop.jobs.check import check
from workshop.jobs.dialect import spellings, targets
from workshop.jobs.model import Finding, Script
from workshop.jobs.parts.sources import SBATCH
from workshop.jobs.profile import Profile
from workshop.jobs.read import UnreadableInput, read_script
from workshop.jobs.report import text

UNREADABLE = 2


@click.command()
@click.argument("file", type=click.Path())
@click.option(
    "--scheduler",
    type=click.Choice(spellings()),
    help="Whose script it is; found out from the directives if not given.",
)
@click.option("--site", metavar="NAME", help="Check against the facts of a site, too; see 'workshop sites'.")
@click.option("--submit", metavar="COMMAND", help="How you hand it over, for example 'bsub job.lsf'.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
def command(file: str, scheduler: str | None, site: str | None, submit: str | None, form: str) -> None:
    """Say what the job script FILE really asks for, and what is wrong with it.

    Exit status: 0 without errors, 1 with errors, 2 where FILE or the site cannot be read.
    """
    profile = _load_profile(site)
    try:
        script = read_script_of(file, scheduler)
        if scheduler is None and profile is not None and {script.scheduler, profile.scheduler} == {"pbs", "torque"}:
            script = _as_the_site_reads(script, profile)
    except (OSError, UnreadableInput) as problem:
        _unreadable(file, problem, form)
        sys.exit(UNREADABLE)
    elsewhere = profile is not None and profile.scheduler not in (None, script.scheduler)
    report = check(script, None if elsewhere else profile, submit)
    report.findings += _environment(script.scheduler)
    if elsewhere:
        report.findings.append(_wrong_site(profile))
    if form == "json":
        click.echo(json.dumps(report.to_dict(), indent=2, ensure_ascii=False))
    else:
        click.echo(text(report), nl=False)
    sys.exit(1 if report.of("error") else 0)


def read_script_of(file: str, scheduler: str | None):
    """The script in ``file``; ``-`` is standard input.

    Raises:
        OSError, UnreadableInput: see ``read_script``.
    """
    if file == "-":
        return read_script(sys.stdin.buffer.read(), scheduler)
    with open(file, "rb") as stream:
        script = read_script(stream.read(), scheduler or _by_name(file))
    script.path = file
    return script


def _as_the_site_reads(script: Script, profile: Profile) -> Script:
    """The script in the dialect of PBS that its site speaks, whatever its lines look like."""
    again = read_script(script.text, profile.scheduler)
    again.path = script.path
    return again


def _by_name(file: str) -> str | None:
    """The scheduler that the file's ending names, where the text itself has no directive."""
    from workshop.jobs.parts.text import decode
    from workshop.jobs.read import DIRECTIVE, ENDINGS

    ending = os.path.splitext(file)[1]
    if ending not in ENDINGS:
        return None
    with open(file, "rb") as stream:
        head, _ = decode(stream.read(200_000))
    return None if DIRECTIVE.search(head) else ENDINGS[ending]


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


def _wrong_site(profile: Profile) -> Finding:
    """The named site cannot run the script at all."""
    remedy = f"workshop translate FILE --to {profile.scheduler} --site NAME"
    return Finding(
        "site_of_another_scheduler",
        "warning",
        None,
        f"The site {profile.name} has another scheduler ({profile.scheduler}): its facts were not used.",
        remedy if profile.scheduler in targets() else "a script of that scheduler; no command translates into it",
    )


def _unreadable(file: str, problem: Exception, form: str) -> None:
    message = getattr(problem, "strerror", None) or str(problem)
    if form == "json":
        finding = Finding("unreadable_input", "error", None, message, "a text file")
        click.echo(
            json.dumps(
                {
                    "file": file,
                    "scheduler": None,
                    "verdict": None,
                    "request": None,
                    "ignored_lines": [],
                    "findings": [finding.to_dict()],
                },
                indent=2,
            )
        )
    else:
        click.echo(f"{file}: {message}", err=True)


def _environment(scheduler: str) -> list[Finding]:
    """SBATCH_* variables of the shell beat the script's directives."""
    names = sorted(name for name in os.environ if name.startswith("SBATCH_")) if scheduler == "slurm" else []
    if not names:
        return []
    return [
        Finding(
            "environment_beats_script",
            "note",
            None,
            f"Your shell has {', '.join(names)}: sbatch takes these before the #SBATCH lines.",
            f"unset {' '.join(names)}",
            SBATCH,
        )
    ]
