"""``fill``: the script of a generic cluster turned into the script for one named cluster.

The request stays what it was as far as the site allows; what changed, and why, comes back as notes. A job
that the site cannot run is refused with the reason.
"""

import re
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from workshop.jobs.fates import Fate, Lists
from workshop.jobs.model import OTHER, Script
from workshop.jobs.parts.directives import Header
from workshop.jobs.read import detect_scheduler, read_script, read_text
from workshop.sites import Site, scheduler_name
from workshop.sites.fill.body import change_body, with_own_name
from workshop.sites.fill.header import Wishes, change
from workshop.sites.fill.lists import lists_of
from workshop.sites.fill.plan import CannotFill, Plan, check_scheduler, plan

__all__ = ["CannotFill", "Filled", "fill"]


@dataclass
class Filled:
    """A filled script.

    Attributes:
        text: the new script. source: the script as it was read. site: its name. plan: what was decided, and why.
        warnings: to be shown loudly (historical sites). notes: what changed, and what to do or to know.
    """

    text: str
    source: Script
    site: str
    plan: Plan
    warnings: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @cached_property
    def lists_and_added(self) -> tuple[Lists, list[Fate]]:
        """What became of each option of header and launchers, and the options that are new."""
        return lists_of(self.source, read_text(self.text, self.source.scheduler), self.plan)

    @property
    def lists(self) -> Lists:
        return self.lists_and_added[0]

    @property
    def added(self) -> list[Fate]:
        return self.lists_and_added[1]

    def to_dict(self) -> dict[str, Any]:
        """For JSON: the script, the three lists, what was added, and what is told beside it."""
        added = [fate.to_dict() for fate in self.added]
        told = {"added": added, "warnings": self.warnings, "notes": self.notes}
        return {"site": self.site, "text": self.text, **self.lists.to_dict(), **told}


def fill(
    source: str | Path | Script,
    site: Site,
    account: str | None = None,
    mail: str | None = None,
    saved_as: Path | None = None,
) -> Filled:
    """Fill a job script for a site.

    Args:
        source: path of the script, its text, or a script that was read already.
        account: the user's account or project; without it the site's form stays, marked ``# EDIT``.
        mail: address for mail at the job's end or failure; None = no mail.
        saved_as: where the filled script will lie, for jobs that submit themselves again.

    Raises:
        CannotFill: another scheduler, a script with errors, or a request that no node or partition fits.
    """
    script = source if isinstance(source, Script) else _read_for(source, site)
    _check_known(script, site)
    check_scheduler(script.scheduler, site)
    _check_readable(script)
    found = plan(script.request, site)
    lines = script.text.replace("\r\n", "\n").removesuffix("\n").split("\n")
    header = Header(script, lines[: script.body_line - 1])
    body = lines[script.body_line - 1 :]
    change(script.scheduler, header, found, site, Wishes(account, mail), script.body)
    body = change_body(body, script, site, found)
    _head_comments(header, site, found)
    text = with_own_name(header.text() + "\n".join(body) + "\n", script, saved_as, found)
    notes = [*found.notes, *_account_notes(account, site), *_site_notes(site, found, text)]
    return Filled(text, script, site.name, found, _warnings(site), notes)


def _read_for(source: str | Path, site: Site) -> Script:
    """Nothing in a script without directives may say whose it is, as where fill left out the only one: the site's."""
    script = read_script(source)
    if script.scheduler == OTHER:  # it says whose it is, and is not read
        return script
    path = "" if script.path == "<text>" else script.path
    if script.scheduler != site.scheduler and detect_scheduler(script.text, path, site.scheduler) == site.scheduler:
        return read_script(source, site.scheduler)
    return script


def _check_known(script: Script, site: Site) -> None:
    if script.scheduler == OTHER:
        raise CannotFill(
            f"{site.title} runs {scheduler_name(site.scheduler)}, and this is a script for {script.seen.system.name}, "
            "whose options are not read here: write its request anew."
        )


def _check_readable(script: Script) -> None:
    if script.seen.generated or script.seen.submission:
        raise CannotFill("This file writes or submits a job and is none itself. Fill the script that it submits.")
    if script.seen.commands:
        raise CannotFill("These are commands for an allocation, not a job script: there is no header to fill.")
    if script.components:
        raise CannotFill("A heterogeneous job has several requests: fill each of them by hand, with 'workshop sites'.")
    errors = [finding for finding in script.problems if finding.severity == "error"]
    if errors:
        first = errors[0]
        raise CannotFill(
            f"The script has an error first (line {first.line}: {first.message}). "
            "Correct it with the help of: workshop check FILE"
        )


# Bash, called directly or by env, with options of one letter each.
BASH = re.compile(r"#!\s*(?:/usr)?/bin/(?:env +)?bash(?: +-(?P<options>[a-z]+))?\s*$")


def _shebang(header: Header, site: Site, found: Plan) -> None:
    """The site's first line, for bash; the shell options of the script's own stay in force."""
    wanted = site.get("scheduler.shebang")
    if not wanted or not header.lines or not header.lines[0].text.startswith("#!"):
        return
    old, new = header.lines[0].text, BASH.match(wanted)
    own = BASH.match(old)
    if own is None or new is None:
        if old != wanted:
            found.notes.append(f"The first line stays {old}: job scripts of {site.title} begin with {wanted}.")
        return
    missing = [letter for letter in new["options"] or "" if letter not in (own["options"] or "")]
    if missing:
        header.lines[0].text = f"#!/bin/bash -{own['options'] or ''}{''.join(missing)}"
        found.notes.append(f"First line {header.lines[0].text} in place of {old}: {site.title} wants {wanted}.")


def _head_comments(header: Header, site: Site, found: Plan) -> None:
    """Which site the script is for, and a warning where nobody can run it there any more."""
    _shebang(header, site, found)
    checked = min(source["checked"] for source in site.sources.values())
    header.drop_notes("# Filled for ", "# WARNING: ")
    header.note(f"# Filled for {site.title} ({site.status}; facts checked {checked})")
    if site.status == "historical":
        header.note(f"# WARNING: {site.title} is historical; nobody may be able to run this there any more")


def _warnings(site: Site) -> list[str]:
    if site.status == "historical":
        return [f"{site.title} is {site.status_text}."]
    if site.status == "unofficial-sources":
        return [f"{site.title}: {site.status_text}."]
    return []


def _account_notes(account: str | None, site: Site) -> list[str]:
    pattern = site.get("account.pattern")
    if account and pattern and not re.search(pattern, account):
        form = site.get("account.form")
        return [f"'{account}' does not look like an account of {site.title}: those look like {form}."]
    return []


def _site_notes(site: Site, found: Plan, text: str) -> list[str]:
    """What a user must know before the first job, but what no line of the script can do."""
    notes = []
    # A script without an environment of its own (a container, or modules only) needs none to be made.
    if site.get("software.set_up") and "bin/activate" in text:
        notes.append(f"Once, {site.set_up_place}: " + "; ".join(site.get("software.set_up")))
    if site.get("run_from.rule") == "advised":
        notes.append(f"Submit from a folder under {site.get('run_from.path')}. {site.get('run_from.why', '')}".strip())
    internet = site.get("network.compute_internet")
    if internet == "none":
        notes.append("Compute nodes have no internet: fetch data and packages on a login node first.")
    if internet == "proxy":
        notes.append("Compute nodes reach the internet only after: " + "; ".join(site.get("network.proxy", [])))
    if site.get("sharing.rule") == "whole-node" and found.node and found.needs.gpus < found.node.gpus:
        used = found.needs.gpus or "none"
        notes.append(f"{site.title} gives whole nodes: {found.node.gpus} GPUs each, of which this job uses {used}.")
    return notes


def describe_target(site: Site) -> str:
    """One line on the target for the user: name, scheduler and status."""
    return f"{site.title} ({scheduler_name(site.scheduler)}), status: {site.status_text}"
