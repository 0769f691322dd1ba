"""Filling twice is filling once, for every script of the project and of the corpora at every site of its scheduler."""

from pathlib import Path

import pytest
from site_truth import kept_by_forks

from workshop import sites
from workshop.jobs.check import check
from workshop.jobs.read import UnreadableInput, read_script
from workshop.paths import REPO, SCRIPTS
from workshop.sites.fill import CannotFill, fill

CORPORA = ("cases", "cases_own", "cases_public", "cases_launch")
FOLDERS = [*(SCRIPTS / name for name in ("slurm", "pbs", "lsf")), *(REPO / "tests" / "jobs" / name for name in CORPORA)]
NO_SCRIPT = (".expect", ".md", ".yml")
SITES = [*sites.all_sites(), sites.load_site(sites.TEMPLATE)]
# Fewer pairs than these, with the clusters that a fork keeps, and a corpus was not found, or fill refuses too much.
FEWEST = {"slurm": 100, "pbs": 30, "lsf": 30, "cases": 150, "cases_own": 600, "cases_public": 90, "cases_launch": 1500}
# Of the two large corpora every fifth script in the run that everyone waits for, and all with the extensive tests.
LARGE = ("cases_own", "cases_launch")
PARTS = [
    *(pytest.param(folder, 5 if folder.name in LARGE else 1, id=folder.name) for folder in FOLDERS),
    *(
        pytest.param(folder, 1, id=f"{folder.name}-all", marks=pytest.mark.extensive)
        for folder in FOLDERS
        if folder.name in LARGE
    ),
]


def scripts_in(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.suffix not in NO_SCRIPT)


def filled_in(folder: Path, step: int):
    """(script, site, filled text) for every ``step``-th script of a folder that some site of its scheduler can run."""
    for path in scripts_in(folder)[::step]:
        try:
            script = read_script(path)
        except UnreadableInput:
            continue
        for site in SITES:
            if site.scheduler != script.scheduler:
                continue
            try:
                yield path, site, fill(path, site).text
            except CannotFill:
                continue


@pytest.mark.slow
@pytest.mark.parametrize(("folder", "step"), PARTS)
def test_filling_twice_is_filling_once(folder, step):
    pairs = list(filled_in(folder, step))
    kept = [site for _, site, _ in pairs if kept_by_forks(site)]
    assert len(kept) >= FEWEST[folder.name] / step * (1 if step == 1 else 0.8)
    different = []
    for path, site, text in pairs:
        try:
            again = fill(text, site).text
        except CannotFill as reason:
            again = f"{reason}"
        if again != text:
            different.append(f"{path.name} for {site.name}")
    assert different == []


@pytest.mark.slow
@pytest.mark.parametrize(("folder", "step"), PARTS)
def test_filling_brings_no_error_into_a_script(folder, step):
    broken = []
    for path, site, text in filled_in(folder, step):
        before = {finding.rule for finding in check(read_script(path)).of("error")}
        after = {finding.rule for finding in check(read_script(text, site.scheduler)).of("error")}
        broken += [f"{path.name} for {site.name}: {rule}" for rule in after - before]
    assert broken == []
