"""A file, and the options that somebody gives with it: the same answers for the command line and for the page.

The file comes as its name and its bytes; nothing is read from the disk here.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

from workshop.jobs.check import Report, check
from workshop.jobs.dialect import targets
from workshop.jobs.model import Finding, Script
from workshop.jobs.parts.sources import SBATCH
from workshop.jobs.parts.text import decode
from workshop.jobs.profile import Profile
from workshop.jobs.read import DIRECTIVE, ENDINGS, read_script

UNREADABLE = 2


@dataclass(frozen=True)
class Asked:
    """The options that say how all the files are read."""

    scheduler: str | None = None
    profile: Profile | None = None
    submit: str | None = None


@dataclass(frozen=True)
class Mended:
    """A file after its safe edits: its bytes, what was done and left, and the report on what it is now."""

    after: bytes
    said: str
    report: Report


def read(name: str, data: bytes, scheduler: str | None) -> Script:
    """The script of a file; where its text has no directive, its ending says whose it is.

    Raises:
        UnreadableInput: see ``read_script``.
    """
    return read_script(data, scheduler or _by_name(name, data), path=name)


def checked(name: str, data: bytes, asked: Asked) -> Report:
    """What ``workshop check`` reports.

    Raises:
        UnreadableInput: see ``read_script``.
    """
    script, profile = _at_site(name, data, asked)
    report = check(script, profile, asked.submit)
    report.findings += _environment(script.scheduler)
    if profile is not asked.profile:
        report.findings.append(_wrong_site(asked.profile))
    return report


def mended(name: str, data: bytes, asked: Asked, only: int | None = None) -> Mended:
    """What ``workshop check --fix`` prints.

    Args:
        only: place of the one finding in the report that is to be mended; None = all.

    Raises:
        UnreadableInput: see ``read_script``.
    """
    from workshop.jobs.fix import fix, fix_one  # difflib: not for those who only check
    from workshop.jobs.report import mended as said

    script, profile = _at_site(name, data, asked)
    # Where the site decided in which dialect of PBS to read, it does so for the mended text, too.
    told = asked.scheduler or (script.scheduler if script.scheduler in ("pbs", "torque") and profile else None)
    given = profile, asked.submit, told
    fixed = fix(script, *given) if only is None else fix_one(script, only, *given)
    after = fixed.text.encode(script.seen.encoding) if fixed.applied else data
    return Mended(after, said(fixed, name), fixed.report)


def status(report: Report) -> int:
    """The exit status of ``workshop check``."""
    return 1 if report.of("error") else 0


def why(problem: Exception) -> str:
    """Why a file could not be read."""
    return getattr(problem, "strerror", None) or str(problem)


def not_read(problem: Exception) -> Finding:
    """The finding on a file that could not be read."""
    return Finding("unreadable_input", "error", None, why(problem), "a text file")


def unreadable(name: str, problem: Exception) -> dict[str, Any]:
    """The report, as JSON, on a file that could not be read."""
    return {
        "file": name,
        "scheduler": None,
        "verdict": None,
        "request": None,
        "ignored_lines": [],
        "findings": [not_read(problem).to_dict()],
    }


def _at_site(name: str, data: bytes, asked: Asked) -> tuple[Script, Profile | None]:
    """The script, and the site's facts as far as they hold for its scheduler."""
    profile = asked.profile
    script = read(name, data, asked.scheduler)
    if asked.scheduler is None and profile is not None and {script.scheduler, profile.scheduler} == {"pbs", "torque"}:
        # The dialect of PBS that the site speaks, whatever its lines look like.
        script = read_script(script.text.encode(), profile.scheduler, path=script.path)
    elsewhere = profile is not None and profile.scheduler not in (None, script.scheduler)
    return script, None if elsewhere else profile


def _by_name(name: str, data: bytes) -> str | None:
    """The scheduler that the file's ending names, where the text itself has no directive."""
    ending = os.path.splitext(name)[1]
    if ending not in ENDINGS:
        return None
    return None if DIRECTIVE.search(decode(data[:200_000])[0]) else ENDINGS[ending]


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
