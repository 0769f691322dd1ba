"""The cluster as notebooks and other tests use it."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from workshop.cluster import Cluster, ClusterError

pytestmark = pytest.mark.needs_slurm


@pytest.fixture
def state(require):
    require("slurm")
    folder = Path(tempfile.mkdtemp(prefix="hpcw-", dir="/tmp"))
    yield folder / "state"
    Cluster(folder / "state").down()
    shutil.rmtree(folder)


def test_running_stops_what_it_started(state):
    with Cluster.running(state, want_accounting=False) as cluster:
        result = cluster.run(["srun", "hostname"], capture_output=True, text=True, check=True)
        assert result.stdout == "cpu1\n"
        assert cluster.status().healthy
    assert not Cluster(state).status().started


def test_running_leaves_a_cluster_that_was_up(state):
    Cluster(state).up(want_accounting=False)
    with Cluster.running(state) as cluster:
        assert cluster.status().healthy
    assert Cluster(state).status().healthy


def test_up_makes_a_temporary_cluster_stay(state):
    with Cluster.running(state, want_accounting=False):
        Cluster(state).up()
    assert Cluster(state).status().healthy


def test_the_last_of_several_users_stops_it(state):
    with Cluster.running(state, want_accounting=False):
        with Cluster.running(state, want_accounting=False):
            pass
        # Another program, too: its end must not take the cluster away from this one.
        code = f"from workshop.cluster import Cluster\nwith Cluster.running({str(state)!r}): pass"
        subprocess.run([sys.executable, "-c", code], check=True)
        assert Cluster(state).status().healthy
    assert not Cluster(state).status().started


def test_running_stops_it_after_an_error(state):
    with pytest.raises(ZeroDivisionError), Cluster.running(state, want_accounting=False):
        1 / 0  # noqa: B018
    assert not Cluster(state).status().started


def test_env_points_any_program_at_it(state):
    with Cluster.running(state, want_accounting=False) as cluster:
        argv = ["sinfo", "--noheader", "--format=%P"]
        result = subprocess.run(argv, env=cluster.environment(), capture_output=True, text=True, check=True)
        assert result.stdout == "cpu*\ngpu\n"
        assert set(cluster.env()) == {"SLURM_CONF", "PATH", "WORKSHOP_CLUSTER_DIR"}


def test_run_without_a_cluster(state):
    with pytest.raises(ClusterError, match="No practice cluster is up"):
        Cluster(state).run(["true"])


def test_run_on_the_practice_laptop_which_has_no_scheduler(state, monkeypatch):
    """There it helps nobody to start another practice cluster: that of the reader is up, outside."""
    monkeypatch.setenv("PRACTICE_SSH", "/tmp/practice")
    with pytest.raises(ClusterError, match="This is the practice laptop"):
        Cluster(state).run(["true"])


def test_no_child_processes_are_left_to_the_caller(state):
    with Cluster.running(state, want_accounting=False):
        result = subprocess.run(
            ["ps", "--ppid", str(os.getpid()), "-o", "args="], capture_output=True, text=True, check=False
        )
    assert not [line for line in result.stdout.splitlines() if "slurm" in line or "munge" in line]
