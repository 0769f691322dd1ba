"""Invented nodes on one machine: a name for each, that resolves here and that ``hostname`` prints.

A node is a UTS namespace (its host name) below a mount namespace (its ``/etc/hosts``): ``unshare(1)``,
``uts_namespaces(7)``. An ordinary user needs a user namespace for that, which some systems forbid; then only the first
node gets a name that resolves, the machine's own.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from functools import cache
from pathlib import Path

# Sets the node's name, gives the borrowed capabilities back and becomes the command.
# $1 hosts file ('' = keep), $2 name.
ENTER = (
    'if [ -n "$1" ]; then mount --bind "$1" /etc/hosts || exit 125; fi; hostname "$2" || exit 125; shift 2; '
    'if [ "$(id -u)" = 0 ]; then exec "$@"; else exec setpriv --ambient-caps=-all --inh-caps=-all "$@"; fi'
)

# With real privileges no user namespace is wanted: inside one, root could not write the files of other users.
WAYS = (["unshare"], ["unshare", "--user", "--map-current-user", "--keep-caps"])


def enter_command(way: list[str], hosts: str, name: str) -> list[str]:
    """The beginning of a command line that runs the rest of it on the node ``name``.

    Args:
        way: one of ``WAYS``. hosts: file to put over ``/etc/hosts``, empty where that was done already.
    """
    spaces = ["--mount", "--uts"] if hosts else ["--uts"]
    return [*way, *spaces, "--", "/bin/sh", "-c", ENTER, "node", hosts, name]


@cache
def way_in() -> list[str] | None:
    """Which of ``WAYS`` this machine allows; None where it allows none (each is tried once)."""
    if any(shutil.which(tool) is None for tool in ("unshare", "mount", "hostname", "setpriv")):
        return None
    with tempfile.TemporaryDirectory() as folder:
        hosts = Path(folder) / "hosts"
        write_hosts(hosts, ["probe"])
        for way in WAYS:
            probe = [*enter_command(way, str(hosts), "probe"), "sh", "-c", "hostname; grep -c probe /etc/hosts"]
            done = subprocess.run(probe, capture_output=True, text=True, check=False)
            if done.returncode == 0 and done.stdout.split() == ["probe", "1"]:
                return way
    return None


def write_hosts(path: Path, names: list[str]) -> None:
    """A hosts file in which every name in ``names`` is this machine.

    The names come first: asked for the name of 127.0.0.1, the resolver answers with the first line, and PyTorch's
    rendezvous asks (``socket.getfqdn``). With ``localhost`` there, no node could be the master of several.
    """
    known = Path("/etc/hosts")
    rest = known.read_text() if known.is_file() else "127.0.0.1 localhost\n"
    path.write_text(f"127.0.0.1 {' '.join(names)}\n{rest}")


def node_names(count: int, prefix: str) -> list[str]:
    """``count`` names of nodes: ``node01`` …; where names cannot be invented, the first is the machine's own.

    The first node's name is the one that has to resolve: it is the master of a rendezvous.
    """
    width = max(2, len(str(count)))
    names = [f"{prefix}{number:0{width}d}" for number in range(1, count + 1)]
    if way_in() is None:
        names[0] = socket.gethostname()
    return names


def machine_may_use_names() -> str | None:
    """None where invented names work fully, else one sentence that says what does not."""
    if way_in() is not None:
        return None
    why = (
        "the system forbids user namespaces" if os.name == "posix" and shutil.which("unshare") else "no unshare(1) here"
    )
    return (
        f"Names of nodes: {why}, so only the first node's name resolves (it is this machine's own), "
        "and 'hostname' prints the invented names only when called by that name."
    )
