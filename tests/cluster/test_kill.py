"""SIGKILL of any daemon: status names it, up repairs it, finished jobs stay known."""

import os
import shutil
import signal
import tempfile
import time
from pathlib import Path

import pytest
from conftest import wait_for

from workshop.cluster import Cluster

pytestmark = [pytest.mark.needs_slurm, pytest.mark.slow]

DAEMONS = ("munged", "slurmctld", "slurmd cpu1", "slurmd cpu2", "slurmd gpu1", "slurmd gpu2", "mariadbd", "slurmdbd")


@pytest.fixture(scope="module")
def victim(require):
    """A cluster of its own, with accounting and one finished job."""
    require("slurm")
    require("accounting")
    folder = Path(tempfile.mkdtemp(prefix="hpcw-", dir="/tmp"))
    cluster = Cluster(folder / "state")
    cluster.up(wait_accounting=True)
    run_job(cluster, "first")
    wait_saved(cluster)
    yield cluster
    cluster.down()
    shutil.rmtree(folder)


def wait_saved(cluster: Cluster) -> None:
    """Wait until slurmctld has written down what it knows now.

    It writes some seconds after a change, so a change is made; what it has not written, a SIGKILL loses.
    """
    now = time.time()
    hold = ["sbatch", "--hold", "--output=/dev/null", "--wrap=true"]
    cluster.run(hold, cwd="/", capture_output=True, check=True)
    wait_for(lambda: (cluster.places.var / "slurmctld" / "job_state").stat().st_mtime > now, 30)


def run_job(cluster: Cluster, name: str) -> None:
    argv = ["sbatch", "--wait", f"--job-name={name}", "--output=/dev/null", "--nodes=2", "--wrap=srun true"]
    result = cluster.run(argv, cwd="/", capture_output=True, text=True)
    assert result.returncode == 0, result.stderr


def kill(cluster: Cluster, name: str) -> None:
    os.kill(cluster.status().daemons[name].pid, signal.SIGKILL)
    wait_for(lambda: cluster.status().daemons[name] is None, 10)


def first_job_in_sacct(cluster: Cluster) -> str:
    argv = ["sacct", "--noheader", "--allocations", "--parsable2", "--jobs=1", "--format=JobName,State"]
    return cluster.run(argv, capture_output=True, text=True).stdout.strip()


@pytest.mark.parametrize("name", DAEMONS)
def test_kill_one(victim, name):
    kill(victim, name)
    status = victim.status()
    assert status.missing == [name]
    assert status.running
    assert not status.healthy
    said: list[str] = []
    repaired = victim.up(say=said.append)
    assert said == [f"Started {name}."]
    assert repaired.healthy
    assert victim.run(["scontrol", "show", "job", "1"], capture_output=True, text=True).stdout.count("COMPLETED") == 1
    wait_for(lambda: first_job_in_sacct(victim) == "first|COMPLETED", 30)
    run_job(victim, "after")


def test_a_running_job_survives_the_death_of_its_slurmd_and_of_slurmctld(victim, tmp_path):
    argv = ["sbatch", "--parsable", "--nodelist=cpu1", f"--output={tmp_path}/log", "--wrap=sleep 15; echo survived"]
    number = victim.run(argv, capture_output=True, text=True, check=True).stdout.strip()
    wait_for(lambda: (tmp_path / "log").exists(), 20)
    wait_saved(victim)
    kill(victim, "slurmd cpu1")
    kill(victim, "slurmctld")
    assert victim.up().healthy
    wait_for(lambda: (tmp_path / "log").read_text() == "survived\n", 40)
    show = ["scontrol", "show", "job", number]
    wait_for(lambda: "COMPLETED" in victim.run(show, capture_output=True, text=True).stdout, 40)


def test_all_at_once_as_after_a_restart_of_the_machine(victim):
    for process in victim._own_processes():
        os.kill(process.pid, signal.SIGKILL)
    wait_for(lambda: not victim.status().running, 10)
    status = victim.status()
    assert status.started
    assert set(status.missing) == set(DAEMONS)
    said: list[str] = []
    assert victim.up(say=said.append).healthy
    assert said[0].startswith("An earlier cluster here was never stopped")
    assert victim.run(["scontrol", "show", "job", "1"], capture_output=True, text=True).stdout.count("COMPLETED") == 1
    wait_for(lambda: first_job_in_sacct(victim) == "first|COMPLETED", 30)


def test_down_after_a_kill_leaves_nothing(victim):
    kill(victim, "slurmctld")
    assert victim.down()
    assert victim._own_processes() == []
    assert not victim.places.runtime.exists()
    assert [path.name for path in victim.places.state.iterdir()] == ["logs"]
