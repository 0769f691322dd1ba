"""Nobody outside this machine can talk to the practice cluster's daemons, and where somebody can, ``up`` says so."""

import json
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from people import Person, changed

from workshop.cluster import Cluster, machine

pytestmark = pytest.mark.needs_slurm


def listeners(ports: range) -> dict[int, str]:
    """Port -> address on which somebody listens, for those of ``ports`` that are in use (proc(5), net/tcp)."""
    found = {}
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        for fields in map(str.split, Path(table).read_text().splitlines()[1:]):
            address, port = fields[1].split(":")
            if fields[3] == "0A" and int(port, 16) in ports:
                assert int(port, 16) not in found, "two listen on one port"
                # Four bytes in the order of a little-endian machine.
                found[int(port, 16)] = ".".join(str(byte) for byte in reversed(bytes.fromhex(address)))
    return found


def ports_of(person: Person) -> range:
    first = json.loads((person.state / "settings.json").read_text())["first_port"]
    return range(first, first + 6)


def test_each_daemon_listens_on_its_nodes_address(accounting):
    """slurmctld, the four slurmds and slurmdbd."""
    ports = accounting.status().settings.ports
    assert len(ports) == 6
    addresses = ["127.0.0.1", *(f"127.10.0.{last}" for last in (2, 3, 4, 5)), "127.0.0.1"]
    assert listeners(ports.values()) == dict(zip(ports.values(), addresses, strict=True))


# Mode -> lines of /etc/hosts: this machine knows the nodes' names by itself, or knows no address of its own.
HOSTS = {
    "system": "127.0.1.1 {name}\n127.0.0.1 localhost cpu1 cpu2 gpu1 gpu2\n",
    "open": "192.0.2.1 {name}\n127.0.0.1 localhost cpu1 cpu2 gpu1 gpu2\n",
}
# What `up` says of the ports: srun and salloc cannot be bound to an address.
SAID = {
    "system": r"for this machine only \(but srun and salloc, while they run, for all\)",
    "open": r"OPEN TO OTHER MACHINES \(see the note\)",
}


@pytest.mark.parametrize("mode", HOSTS)
def test_where_the_nodes_have_no_host_names_of_their_own(ordinary, mode):
    hosts = ordinary.home / "hosts"
    hosts.write_text(HOSTS[mode].format(name=Path("/proc/sys/kernel/hostname").read_text().strip()))
    cover = f"mount --bind '{hosts}' /etc/hosts"
    result = changed(ordinary, cover, "up", "--no-accounting")
    assert result.returncode == 0, result.stderr
    (line,) = re.findall(r"^  ports: +(.*)", result.stdout, re.MULTILINE)
    ports = ports_of(ordinary)
    expected = "0.0.0.0" if mode == "open" else "127.0.1.1"
    assert listeners(ports) == dict.fromkeys(ports[:5], expected)
    assert ("127.0.1.1 " in result.stdout) == (mode == "open")
    assert re.fullmatch(r"\d+ to \d+, " + SAID[mode], line)
    srun = ["srun", "--partition=gpu", "--nodes=2", "--gpus-per-node=2", "printenv", "CUDA_VISIBLE_DEVICES"]
    assert changed(ordinary, cover, "shell", "--", *srun).stdout == "0,1\n0,1\n"


def shared_socket() -> socket.socket:
    """With the option that Slurm sets: several may have one port, as long as none of them listens."""
    made = socket.socket()
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    return made


def test_asking_whether_a_port_is_free_takes_it_from_nobody(listener):
    """Clusters that start at the same time ask for each other's ports again and again."""
    assert not machine.port_is_free(listener(0))
    kept = shared_socket()
    kept.bind(("127.0.0.1", 0))  # nobody else gets this port
    port = kept.getsockname()[1]
    asks = (
        "from workshop.cluster.machine import port_is_free\n"
        f"print('asks', flush=True)\nfor _ in range(15_000): port_is_free({port})"
    )
    with subprocess.Popen([sys.executable, "-c", asks], stdout=subprocess.PIPE, text=True) as asking:
        assert asking.stdout.readline() == "asks\n"
        while asking.poll() is None:
            with shared_socket() as daemon:
                daemon.bind(("127.0.0.1", port))
                daemon.listen()
    kept.close()


def test_two_that_start_at_once_choose_different_ports(tmp_path):
    """Before the daemons of the first one listen, its ports look free."""
    first, second = Cluster(tmp_path / "first"), Cluster(tmp_path / "second")
    first.places.number = second.places.number = 7
    with first._claimed:
        taken = first._choose_ports()
        with second._claimed:
            others = second._choose_ports()
        assert others != taken
        with second._claimed:
            assert second._choose_ports() == others, "a claim is given up with the start"
