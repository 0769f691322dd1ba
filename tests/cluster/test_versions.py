"""Another Slurm than this machine's: from Debian's packages, unpacked into the user's cache, without root."""

import os
import pwd
import re
from pathlib import Path

import pytest
from people import ROOT, SCRIPTS, ask

from workshop.cluster import Cluster, ClusterError, versions
from workshop.cluster.cluster import version_name

pytestmark = pytest.mark.needs_slurm
RELEASE = next(iter(versions.SUITES))


def test_a_version_that_cannot_be_had_is_refused(tmp_path):
    with pytest.raises(ClusterError) as refused:
        Cluster(tmp_path / "state").up(slurm="17.11")
    assert "Slurm 17.11" in refused.value.problem
    assert all(version in refused.value.mend for version in versions.SUITES)
    assert not (tmp_path / "state").exists()


def test_all_programs_of_the_cluster_are_the_other_ones(newer_cluster, tmp_path):
    status = newer_cluster.status()
    assert status.healthy and ".".join(map(str, status.settings.slurm)) == RELEASE
    version = ask(newer_cluster, "scontrol", "show", "config").stdout.split("SLURM_VERSION")[1].split()[1]
    assert version.startswith(RELEASE)
    for program in ("sbatch", "srun", "sacct"):
        assert newer_cluster.run([program, "--version"], capture_output=True, text=True).stdout.split()[1] == version
    # Jobs find the same ones, on each node, and have this machine's Python.
    command = ["srun", "--nodes=2", "--partition=gpu", "bash", "-c", "srun --version; python3 --version"]
    told = newer_cluster.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout.splitlines()
    here = newer_cluster.run(["python3", "--version"], capture_output=True, text=True).stdout.strip()
    assert sorted(told) == sorted([f"slurm-wlm {version}", here] * 2)


def test_the_first_job_runs_byte_for_byte(newer_cluster, tmp_path):
    script = SCRIPTS / "slurm" / "hello.sbatch"
    command = ["sbatch", "--parsable", "--wait", str(script)]
    job = newer_cluster.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout.strip()
    assert (tmp_path / f"hello-{job}.out").read_text().splitlines()[:2] == [
        f"job:            {job}",
        "node:           cpu1",
    ]


def test_a_cluster_keeps_its_slurm_until_it_is_stopped(cluster, newer_cluster):
    own = version_name(cluster.status().settings.slurm)
    if own == RELEASE:
        pytest.skip(f"this machine's own Slurm is {RELEASE}: there is no other one to ask for")
    with pytest.raises(ClusterError, match=re.escape(f"has Slurm {own}")):
        cluster.up(want_accounting=False, slurm=RELEASE)
    assert newer_cluster.up(want_accounting=False).settings == newer_cluster.status().settings


@pytest.mark.slow
@pytest.mark.extensive
@pytest.mark.parametrize("version", versions.SUITES)
def test_an_ordinary_user_fetches_it_and_has_accounting(require, make_person, version):
    """With a cache of their own: nothing that root, or another test, has fetched."""
    require("accounting")
    person = make_person()
    done = person.workshop("up", "--slurm", version, "--wait-accounting")
    if "has Slurm" in done.stderr and version == list(versions.SUITES)[-1]:
        pytest.skip(f"Debian's development suite has gone on: {done.stderr}")
    assert done.returncode == 0, done.stdout + done.stderr
    told = person.workshop("shell", "srun", "--account=course", "sacctmgr", "--noheader", "show", "qos", "format=name")
    assert told.stdout.split() == ["normal", "short"], told.stderr
    refused = person.workshop("shell", "srun", "--account=thesis", "hostname")
    assert "Invalid account or account/partition combination specified" in refused.stderr
    tree = next((person.home / ".cache" / "workshop").glob(f"slurm-{version}-*"))
    owner = person.user or pwd.getpwuid(os.geteuid()).pw_name
    assert tree.owner() == owner and (not ROOT or owner != "root")
    assert sum(path.stat().st_size for path in Path(tree).rglob("*") if path.is_file()) < 100e6
