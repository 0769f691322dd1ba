"""SIGKILL of any daemon: status names it, up repairs it, finished jobs stay known."""

import contextlib
import os
import signal
import time

import pytest
from people import left, processes_of, wait_for

from workshop.cluster import Cluster
from workshop.cluster.config import MARKER

pytestmark = [pytest.mark.needs_slurm, pytest.mark.slow]

DAEMONS = ("munged", "slurmctld", "slurmd cpu1", "slurmd cpu2", "slurmd gpu1", "slurmd gpu2", "mariadbd", "slurmdbd")


@pytest.fixture(scope="module")
def victim(accounting):
    """The shared cluster with one finished job of which it has written down that it is finished; and the job's id."""
    cluster = accounting
    argv = ["sbatch", "--parsable", "--wait", "--job-name=first", "--output=/dev/null", "--wrap=true"]
    number = cluster.run(argv, cwd="/", capture_output=True, text=True, check=True).stdout.strip()
    wait_saved(cluster)
    return cluster, number


@pytest.fixture(autouse=True)
def _repair(request):
    """A test that failed halfway leaves the shared cluster whole."""
    yield
    if "victim" in request.fixturenames:
        cluster = request.getfixturevalue("victim")[0]
        if not cluster.status().healthy:
            cluster.up()


def wait_saved(cluster: Cluster) -> None:
    """Wait until slurmctld has written down what it knows now.

    It writes some seconds after a change, so a change is made; what it has not written, a SIGKILL loses.
    """
    now = time.time()
    hold = ["sbatch", "--hold", "--output=/dev/null", "--wrap=true"]
    cluster.run(hold, cwd="/", capture_output=True, check=True)
    wait_for(lambda: (cluster.places.var / "slurmctld" / "job_state").stat().st_mtime > now)


def run_job(cluster: Cluster) -> None:
    argv = ["sbatch", "--wait", "--output=/dev/null", "--nodes=2", "--wrap=srun true"]
    result = cluster.run(argv, cwd="/", capture_output=True, text=True)
    assert result.returncode == 0, result.stderr


def kill(cluster: Cluster, name: str) -> None:
    os.kill(cluster.status().daemons[name].pid, signal.SIGKILL)
    wait_for(lambda: cluster.status().daemons[name] is None)


def check_first_job_is_known(cluster: Cluster, number: str) -> None:
    shown = cluster.run(["scontrol", "show", "job", number], capture_output=True, text=True).stdout
    assert "JobState=COMPLETED" in shown
    argv = ["sacct", "--noheader", "--allocations", "--parsable2", f"--jobs={number}", "--format=JobName,State"]
    wait_for(lambda: cluster.run(argv, capture_output=True, text=True).stdout.strip() == "first|COMPLETED")


@pytest.mark.parametrize("name", DAEMONS)
def test_kill_one(victim, name):
    cluster, number = victim
    kill(cluster, name)
    status = cluster.status()
    assert status.missing == [name]
    assert status.running
    assert not status.healthy
    said: list[str] = []
    repaired = cluster.up(say=said.append)
    assert said == [f"Started {name}."]
    assert repaired.healthy
    check_first_job_is_known(cluster, number)
    run_job(cluster)


def test_a_running_job_survives_the_death_of_its_slurmd_and_of_slurmctld(victim, tmp_path):
    cluster, _ = victim
    wait = f"until [ -e {tmp_path}/go ]; do sleep 0.1; done"
    argv = ["sbatch", "--parsable", "--nodelist=cpu1", f"--output={tmp_path}/log", f"--wrap={wait}; echo survived"]
    number = cluster.run(argv, capture_output=True, text=True, check=True).stdout.strip()
    wait_for(lambda: (tmp_path / "log").exists())
    wait_saved(cluster)
    kill(cluster, "slurmd cpu1")
    kill(cluster, "slurmctld")
    assert cluster.up().healthy
    (tmp_path / "go").touch()
    wait_for(lambda: (tmp_path / "log").read_text() == "survived\n")
    show = ["scontrol", "show", "job", number]
    wait_for(lambda: "JobState=COMPLETED" in cluster.run(show, capture_output=True, text=True).stdout)


def test_all_at_once_as_after_a_restart_of_the_machine(victim):
    cluster, number = victim
    for process in cluster._own_processes():
        with contextlib.suppress(ProcessLookupError):  # some end with those on which they depend
            os.kill(process.pid, signal.SIGKILL)
    wait_for(lambda: not cluster.status().running)
    status = cluster.status()
    assert status.started
    assert set(status.missing) == set(DAEMONS)
    said: list[str] = []
    assert cluster.up(say=said.append).healthy
    assert said[0].startswith("An earlier cluster here was never stopped")
    check_first_job_is_known(cluster, number)


def test_down_after_a_kill_leaves_nothing(ordinary):
    assert ordinary.workshop("up", "--no-accounting").returncode == 0
    slurmctld = next(process for process in processes_of(ordinary) if process.program == "slurmctld")
    os.kill(slurmctld.pid, signal.SIGKILL)
    assert ordinary.workshop("down").returncode == 0
    assert processes_of(ordinary) == []
    assert left(ordinary) == [MARKER, "logs"]
