"""Invented nodes: their names resolve here and ``hostname`` prints them; what happens without namespaces."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workshop.rehearse import limits, names
from workshop.rehearse.standins.hostlist import compress, expand, runs

# One write for the three names: two tasks share a file, and Python may run unbuffered.
ASK = (
    "import os, socket as s; names = s.gethostname(), s.getfqdn(), s.gethostbyname('node02');"
    " os.write(1, (' '.join(names) + chr(10)).encode())"
)
FQDN = f'{sys.executable} -c "{ASK}"'


def test_names_resolve_in_a_job(job):
    if names.way_in() is None:
        pytest.fail("this machine allows no namespaces: names cannot be invented here")
    out = job("slurm", ["--nodes=2"], f"srun {FQDN}").stdout
    assert sorted(out.splitlines()) == ["node01 node01 127.0.0.1", "node02 node01 127.0.0.1"]


def test_prefix(job):
    assert (
        job("slurm", ["--nodes=2"], 'echo "$SLURM_JOB_NODELIST"; hostname', nodes_prefix="cn").stdout
        == "cn[01-02]\ncn01\n"
    )


@pytest.fixture
def no_namespaces(monkeypatch):
    """As where the system forbids user namespaces."""
    monkeypatch.setattr(names, "way_in", lambda: None)


def test_without_namespaces(job, no_namespaces):
    """The master of a rendezvous still resolves, and 'hostname' still tells nodes apart."""
    out = job(
        "slurm", ["--nodes=2"], 'hostname; srun hostname; scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1'
    ).stdout.split()
    here = socket.gethostname()
    assert out[0] == out[-1] == here
    assert sorted(out[1:-1]) == sorted([here, "node02"])
    assert socket.gethostbyname(here)
    assert any("only the first node's name resolves" in sentence for sentence in limits.sentences(_script()))


def _script():
    from workshop.jobs import read_script

    return read_script("#!/bin/bash\n#SBATCH --nodes=2\n\nhostname\n")


def test_capabilities_are_given_back(job):
    """An ordinary user's job holds no borrowed rights: an unwritable folder stays unwritable."""
    out = job("slurm", [], "grep CapEff /proc/self/status").stdout.split()
    assert int(out[1], 16) == 0 or os.geteuid() == 0


def test_hosts_of_the_machine_stay(job):
    known = [line for line in Path("/etc/hosts").read_text().splitlines() if line.strip() and not line.startswith("#")]
    assert set(known) <= set(job("slurm", [], "cat /etc/hosts").stdout.splitlines())


@given(
    st.lists(st.integers(1, 120), min_size=1, max_size=20, unique=True).map(sorted),
    st.sampled_from(["node", "gpu-a", "n1x"]),
)
def test_node_lists_survive_a_round_trip(numbers, prefix):
    hosts = [f"{prefix}{number:03d}" for number in numbers]
    assert expand(compress(hosts)) == hosts


@pytest.mark.parametrize(("text", "count"), [("n[01-03,07],g1", 5), ("a", 1), ("x[1-2]y,z[09-11]", 5)])
def test_expand(text, count):
    assert len(expand(text)) == count


def test_expand_agrees_with_slurm(require, tmp_path):
    """Slurm's own scontrol says the same."""
    require("slurm")
    conf = tmp_path / "slurm.conf"
    conf.write_text("ClusterName=x\nSlurmctldHost=localhost\nNodeName=localhost\nPartitionName=p Nodes=ALL\n")
    for text in ("n[01-03,07],g1", "node[8-11]", "a,b,c"):
        real = subprocess.run(
            ["scontrol", "show", "hostnames", text],
            env={**os.environ, "SLURM_CONF": str(conf)},
            capture_output=True,
            text=True,
            check=True,
        )
        assert expand(text) == real.stdout.split()


def test_runs():
    assert runs([2, 2, 1]) == "2(x2),1"
