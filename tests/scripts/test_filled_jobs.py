"""A job filled for a cluster starts the same processes as before: both are run, with a recorder inside.

For the practice cluster in its Slurm, for the others in rehearsals. What a cluster has and this machine has not (its
modules, its folders) is left out of the filled script. Polaris' launcher is played in test_fill_launches.py; by the
scripts alone all are compared in test_fill_equal.py (both in tests/sites).
"""

import re
from pathlib import Path

import pytest
from job_workplace import make_workplace
from jobfiles import ENDINGS, path_of
from recording import Recorder
from test_translated_jobs import STEMS, _row, rows

from workshop import sites
from workshop.rehearse import rehearse
from workshop.sites.fill import CannotFill, fill

SITES = [site for site in sites.all_sites() if site.scheduler in ENDINGS and site.name != "polaris"]
# One site for each scheduler; the other pairs take too long for a quarter of an hour.
SELECTED = {("ddp_multi_node", "narval"), ("ddp_multi_node_mpirun", "dtu-hpc"), ("ddp_single_node", "generic-pbs")}
PAIRS = [
    pytest.param(stem, site, marks=pytest.mark.slow if (stem, site.name) in SELECTED else pytest.mark.extensive)
    for stem in STEMS
    for site in SITES
]
# Lines of a site's own: its modules and environments, and the test of the folder from which a job was submitted.
OF_THE_SITE = re.compile(
    r"^(?:module|ml|conda) [^\n]*$|^if \[\[ \$\w*(?:SUBMIT_DIR|WORKDIR|SUBCWD).*?^fi$", re.MULTILINE | re.DOTALL
)


def rehearsed(script: Path, folder: Path) -> list[tuple]:
    """What the processes of a rehearsed job wrote, by rank."""
    workplace = make_workplace(folder)
    recorder = Recorder(workplace)
    result = rehearse(script, workdir=workplace)
    assert result.exit_code == 0, result.stdout
    nodes = sorted({record["node"] for record in recorder.records()})
    return sorted(_row(record, nodes, workplace) for record in recorder.records())


@pytest.mark.parametrize(("stem", "site"), PAIRS, ids=lambda one: getattr(one, "name", one))
def test_same_processes_before_and_after(stem, site, tmp_path, require, request, monkeypatch, say):
    if "mpirun" in stem:
        require("mpi")
    for name in ("OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"):
        monkeypatch.setenv(name, "1")
    before, after = path_of(site.scheduler, stem), tmp_path / f"filled{ENDINGS[site.scheduler]}"
    try:
        text = fill(before, site).text
    except CannotFill as reason:
        say(f"fill: {stem} cannot run at {site.title}: {reason}")
        return
    after.write_text(OF_THE_SITE.sub(":", text))
    if site.name == "practice":
        cluster = request.getfixturevalue("cluster")
        found = [rows("slurm", script, tmp_path / f"work-{n}", cluster) for n, script in enumerate((before, after))]
    else:
        found = [rehearsed(script, tmp_path / f"work-{n}") for n, script in enumerate((before, after))]
    assert found[0], "the job started no process"
    assert found[0] == found[1]
    say(f"fill: {stem} for {site.title}: {len(found[0])} rows of processes the same before and after")
