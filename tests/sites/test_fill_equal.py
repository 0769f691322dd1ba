"""A filled script starts what it started before: all scripts of the project and of the corpora, at all their sites.

By the launches and the requests of both sides. What really comes to run: tests/scripts/test_filled_jobs.py.
"""

from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from site_truth import kept_by_forks

from workshop import sites
from workshop.jobs.launch.started import Started, differences, started
from workshop.jobs.model import Script
from workshop.jobs.profile import Profile
from workshop.jobs.read import UnreadableInput, read_script, read_text
from workshop.jobs.rules.base import Context
from workshop.paths import REPO, SCRIPTS
from workshop.sites.fill import CannotFill, Filled, fill

CORPORA = ("cases", "cases_own", "cases_public", "cases_launch")
FOLDERS = [*(SCRIPTS / name for name in ("slurm", "pbs", "lsf")), *(REPO / "tests" / "jobs" / name for name in CORPORA)]
SITES = [*sites.all_sites(), sites.load_site(sites.TEMPLATE)]
# Fewer pairs than these, with the clusters that a fork keeps, and a corpus was not found, or fill refuses too much.
FEWEST = {"slurm": 100, "pbs": 25, "lsf": 25, "cases": 50, "cases_own": 600, "cases_public": 80, "cases_launch": 1000}


@cache
def starts(text: str, scheduler: str) -> list[Started]:
    context = Context(read_text(text, scheduler), Profile())
    return [one for one in started(context.launches, context.shape) if one.name != "conda"]  # it only sets variables


def scripts_in(folder: Path) -> list[Script]:
    found = []
    for path in sorted(path for path in folder.iterdir() if path.suffix not in (".expect", ".md", ".yml")):
        try:
            found.append(read_script(path))
        except UnreadableInput:
            continue
    return found


def wrong_in(result: Filled) -> list[str]:
    """What a filled script starts otherwise, and does not say so."""
    source = result.source
    before, after = starts(source.text, source.scheduler), starts(result.text, source.scheduler)
    found = differences(before, after)
    told = {name for name, reason in result.plan.reasons.items() if reason.text}
    if "--cpus-per-task" in told:  # the site gives other cores, and the user is told how many
        found = [one for one in found if ": cores " not in one]
    if "ncpus" not in source.text:  # PBS gives such a chunk one core, and a site that gives whole nodes all of them
        found = [one for one in found if not one.endswith(": cores 1 -> None")]
    new = read_text(result.text, source.scheduler).request
    for name in ("nodes", "tasks", "gpus_total", "array", "chdir"):
        old = getattr(source.request, name, None) or getattr(source.request.extra, name, None)
        now = getattr(new, name, None) or getattr(new.extra, name, None)
        if old != now and not (name == "gpus_total" and not old):
            found.append(f"{name}: {old} -> {now}")
    return found


# The two large corpora take two thirds of a minute of a core.
LARGE = ("cases_own", "cases_launch")


@pytest.mark.parametrize(
    "folder",
    [
        pytest.param(one, marks=pytest.mark.extensive if one.name in LARGE else pytest.mark.slow, id=one.name)
        for one in FOLDERS
    ],
)
def test_a_filled_script_starts_what_it_started_before(folder, say):
    pairs, known, wrong = Counter(), 0, {}
    for script in scripts_in(folder):
        for site in (site for site in SITES if site.scheduler == script.scheduler):
            try:
                result = fill(Path(script.path), site)
            except CannotFill:
                continue
            before = starts(script.text, script.scheduler)
            pairs[site.name] += 1
            known += any(one.processes for one in before)
            if found := wrong_in(result):
                wrong[f"{Path(script.path).name} for {site.name}"] = found
    say(f"fill: {pairs.total()} pairs of scripts of {folder.name} compared by what they start, {known} with a number")
    assert wrong == {}
    assert sum(pairs[site.name] for site in SITES if kept_by_forks(site)) >= FEWEST[folder.name]
