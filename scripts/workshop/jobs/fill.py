"""``fill``: the script of a generic cluster turned into the script for one named cluster.

The request stays what it was as far as the site allows; what changed, and why, comes back as notes. A job
that the site cannot run is refused with the reason.
"""

import re
from dataclasses import dataclass, field
from pathlib import Path

from workshop.jobs.fill_directives import Wishes, change
from workshop.jobs.fill_lines import Header
from workshop.jobs.fill_plan import CannotFill, Plan, check_scheduler, plan
from workshop.jobs.model import Script
from workshop.jobs.read import read_script
from workshop.sites import Site, scheduler_name

__all__ = ["CannotFill", "Filled", "fill"]

# The variable that holds the folder in which the job was submitted.
SUBMIT_FOLDER = {
    "slurm": "SLURM_SUBMIT_DIR",
    "pbs": "PBS_O_WORKDIR",
    "torque": "PBS_O_WORKDIR",
    "lsf": "LS_SUBCWD",
}
ENVIRONMENT = re.compile(r"^\s*(source|\.) .*bin/activate|^\s*conda activate")
CONTAINER = re.compile(r"\b(apptainer|singularity)\b")
MODULE = re.compile(r"^\s*(module|ml) ")


@dataclass
class Filled:
    """A filled script. ``warnings`` must be shown loudly (historical sites); ``notes`` say what changed."""

    text: str
    warnings: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def fill(source: str | Path, site: Site, account: str | None = None, mail: str | None = None) -> Filled:
    """Fill a job script for a site.

    Args:
        source: path of the script, or its text.
        account: the user's account or project; without it the site's form stays, marked ``# EDIT``.
        mail: address for mail at the job's end or failure; None = no mail.

    Raises:
        CannotFill: another scheduler, a script with errors, or a request that no node or partition fits.
    """
    script = read_script(source)
    check_scheduler(script.scheduler, site)
    _check_readable(script)
    found = plan(script.request, site)
    lines = script.text.splitlines()
    header = Header(script, lines[: script.body_line - 1])
    body = lines[script.body_line - 1 :]
    change(script.scheduler, header, found, site, Wishes(account, mail), script.body)
    body = _body(body, script, site, found)
    _head_comments(header, script, site)
    notes = [*found.notes, *_account_notes(account, site), *_site_notes(site, found)]
    return Filled(header.text() + "\n".join(body) + "\n", _warnings(site), notes)


def _check_readable(script: Script) -> None:
    errors = [finding for finding in script.problems if finding.severity == "error"]
    if errors:
        first = errors[0]
        raise CannotFill(
            f"The script has an error first (line {first.line}: {first.message}). "
            "Correct it with the help of: workshop check FILE"
        )


def _head_comments(header: Header, script: Script, site: Site) -> None:
    """Which site the script is for, and a warning where nobody can run it there any more."""
    shebang = site.get("scheduler.shebang")
    if shebang and header.lines and header.lines[0].text.startswith("#!"):
        header.lines[0].text = shebang
    checked = min(source["checked"] for source in site.sources.values())
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


def _site_notes(site: Site, found: Plan) -> list[str]:
    """What a user must know before the first job, but what no line of the script can do."""
    notes = []
    if site.get("software.set_up"):
        notes.append("Once, on a login node: " + "; ".join(site.get("software.set_up")))
    if site.get("run_from.rule") == "advised":
        notes.append(
            f"Submit from a folder under {site.get('run_from.path')}. {site.get('run_from.why', '')}".strip()
        )
    internet = site.get("network.compute_internet")
    if internet == "none":
        notes.append("Compute nodes have no internet: fetch data and packages on a login node first.")
    if internet == "proxy":
        notes.append(
            "Compute nodes reach the internet only after: " + "; ".join(site.get("network.proxy", []))
        )
    if site.get("sharing.rule") == "whole-node" and found.node and found.needs.gpus < found.node.gpus:
        used = found.needs.gpus or "none"
        notes.append(
            f"{site.title} gives whole nodes: {found.node.gpus} GPUs each, of which this job uses {used}."
        )
    return notes


# --- the body ----------------------------------------------------------------------------------------


def _body(lines: list[str], script: Script, site: Site, found: Plan) -> list[str]:
    lines = _with_modules(lines, site, found)
    if site.get("launcher.multi_node") == "mpiexec-pals":
        lines = _with_pals(lines, site, found)
    guard = _guard(script.scheduler, site)
    if guard:
        place = next((n + 1 for n, line in enumerate(lines) if line.startswith("set -")), 0)
        lines[place:place] = [guard]
    return lines


def _with_modules(lines: list[str], site: Site, found: Plan) -> list[str]:
    """The site's module lines before the environment or the container, in place of the script's own."""
    wanted = _module_lines(lines, site)
    if not wanted:
        return lines
    own = [n for n, line in enumerate(lines) if MODULE.match(line)]
    kept = [line for n, line in enumerate(lines) if n not in own]
    if own:
        place = own[0]
        found.notes.append(f"The script's own module lines were replaced by those of {site.title}.")
    else:
        place = next(n for n, line in enumerate(kept) if ENVIRONMENT.match(line) or _runs_container(line))
    kept[place:place] = wanted
    return kept


def _module_lines(lines: list[str], site: Site) -> list[str]:
    wanted: list[str] = []
    if any(ENVIRONMENT.match(line) for line in lines):
        wanted += site.get("software.pytorch") or site.get("software.python") or []
    elif any(MODULE.match(line) for line in lines):
        wanted += site.get("software.python") or []
    if any(_runs_container(line) for line in lines):
        wanted += [line for line in site.get("software.container", []) if line not in wanted]
    return wanted


def _runs_container(line: str) -> bool:
    return bool(CONTAINER.search(line)) and not line.lstrip().startswith("#") and not MODULE.match(line)


def _guard(scheduler: str, site: Site) -> str:
    """A line that stops a job which was submitted from a place where the site cannot run it."""
    rule, path = site.get("run_from.rule"), site.get("run_from.path", "")
    folder = f"${SUBMIT_FOLDER[scheduler]}"
    why = site.get("run_from.why", "").rstrip(".")
    if rule == "only":
        test, place = f"{folder} == {path}/*", f"submit from {path}"
    elif rule == "not-home":
        test, place = f'{folder}/ != "$HOME"/*', "do not submit from the home directory"
    else:
        return ""
    message = f"{site.title}: {place}. {why}".replace('"', "'")
    return f'[[ {test} ]] || {{ echo "{message}" >&2; exit 1; }}'


def _with_pals(lines: list[str], site: Site, found: Plan) -> list[str]:
    """HPE PALS starts the tasks: its mpiexec passes folder, variables and exit status, pbsdsh does not."""
    start = next((n for n, line in enumerate(lines) if "$(pbsdsh -- " in line), None)
    if start is None:
        return lines
    command = re.sub(r"^.*\$\(pbsdsh -- (.*)\)\s*$", r"\1", lines[start]).replace("bash -ec", "bash -lec")
    launch = f'mpiexec -n "$(wc --lines < "$PBS_NODEFILE")" --ppn 1 {command}'
    kept = [*lines[:start], launch, *lines[start + 1 :]]
    found.notes.append(f"pbsdsh was replaced by mpiexec, the launcher of {site.title}.")
    return [line for line in kept if not _only_for_pbsdsh(line)]


def _only_for_pbsdsh(line: str) -> bool:
    return "pbsdsh" in line or line == 'echo "$report"' or line.startswith("[[ $report ")


def describe_target(site: Site) -> str:
    """One line on the target for the user: name, scheduler and status."""
    return f"{site.title} ({scheduler_name(site.scheduler)}), status: {site.status_text}"
