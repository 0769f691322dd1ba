"""The daemons of a practice cluster: how each is started, found again, and stopped.

No file remembers process ids: a daemon is found by its command line in /proc. So a cluster whose ``up`` was killed
halfway, or whose daemon died, looks the same as any other.
"""

import contextlib
import fcntl
import os
import signal
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from workshop.cluster import machine
from workshop.cluster.config import GPU_NODES, LOGIN, NODES, Places, Settings, program
from workshop.cluster.errors import ClusterError
from workshop.cluster.machine import Process

INSIDE = Path(__file__).with_name("inside.py")
# Variables of a surrounding job or of another Slurm must not reach these daemons and commands.
SLURM_PREFIXES = ("SLURM", "SBATCH_", "SALLOC_", "SRUN_", "SQUEUE_", "SINFO_", "SACCT_", "SCANCEL_", "SACCTMGR_")

PROGRAMS = ("munged", "slurmctld", "slurmd", "slurmdbd", "mariadbd")
# Two equal hosts files: the one that is mounted tells a process of a node from one of the cluster's shells.
NODE_HOSTS, LOGIN_HOSTS = "hosts-nodes", "hosts"
# States that sinfo reports for a node that can take a job, now or after the present one.
WORKING_STATES = {"idle", "mixed", "allocated", "completing"}
# Seconds within which a daemon that was started must be seen among the processes, on a busy machine.
START_PATIENCE = 5


@dataclass(frozen=True)
class Daemon:
    """One daemon: ``name`` as status shows it, ``marks`` the arguments that tell it from others of its program."""

    name: str
    argv: tuple[str, ...]
    log: Path
    marks: tuple[str, ...]
    port: int | None = None
    hostname: str | None = None  # started in a namespace under this host name
    devices: str = "-"
    variables: dict[str, str] = field(default_factory=dict)

    def is_it(self, process: Process) -> bool:
        """Whether this process is this daemon (a child that a daemon forked looks the same, but is younger)."""
        same_program = process.program == os.path.basename(self.argv[0])
        return same_program and all(mark in process.argv for mark in self.marks)


def core_daemons(places: Places, settings: Settings) -> list[Daemon]:
    """munged, slurmctld and one slurmd a node, in the order in which they start."""
    inside = settings.names == "namespace"
    ports = settings.ports
    controller, node_conf = str(places.conf_of("slurmctld")), str(places.conf_of("slurmd"))
    munged = Daemon(
        "munged",
        (
            program("munged", places),
            "--foreground",
            # Its rules for folders are for a machine full of users; here the key is readable by one user anyway.
            "--force",
            f"--socket={places.munge_socket}",
            f"--key-file={places.etc}/munge.key",
            f"--log-file={places.logs}/munged.log",
            f"--pid-file={places.runtime}/munged.pid",
            f"--seed-file={places.var}/munged.seed",
        ),
        places.logs / "munged.out",
        (f"--socket={places.munge_socket}",),
    )
    slurmctld = Daemon(
        "slurmctld",
        (program("slurmctld", places), "-D", "-f", controller),
        places.logs / "slurmctld.out",
        ("-f", controller),
        ports["slurmctld"],
        LOGIN if inside else None,
        variables={"SLURM_CONF": controller},
    )
    slurmds = [
        Daemon(
            f"slurmd {node}",
            (program("slurmd", places), "-D", "-f", node_conf, "-d", str(places.stepd), "-N", node),
            places.logs / f"slurmd-{node}.out",
            ("-f", node_conf, "-N", node),
            ports[f"slurmd {node}"],
            node if inside else None,
            str(places.var / "devices") if node in GPU_NODES else "-",
            {"SLURM_CONF": node_conf},
        )
        for node in NODES
    ]
    return [munged, slurmctld, *slurmds]


def database_daemons(places: Places, settings: Settings) -> list[Daemon]:
    """mariadbd and slurmdbd, in the order in which they start; none without accounting."""
    if not settings.accounting:
        return []
    options = f"--defaults-file={places.etc}/database.cnf"
    # MariaDB refuses to run as root unless told to.
    as_user = ("--user=root",) if os.geteuid() == 0 else ()
    mariadbd = Daemon(
        "mariadbd",
        (program("mariadbd", places), options, *as_user),
        places.logs / "mariadbd.out",
        (options,),
    )
    slurmdbd = Daemon(
        "slurmdbd",
        # slurmdbd takes its configuration from SLURM_CONF's folder and ignores the last argument: it is the mark.
        (program("slurmdbd", places), "-D", str(places.conf)),
        places.logs / "slurmdbd.out",
        (str(places.conf),),
        settings.dbd_port,
        LOGIN if settings.names == "namespace" else None,
        variables={"MYSQL_UNIX_PORT": str(places.database_socket)},
    )
    return [mariadbd, slurmdbd]


def clean_environment(places: Places) -> dict[str, str]:
    """This process's environment without another Slurm's variables, pointed at the practice cluster."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(SLURM_PREFIXES)}
    return kept | {"SLURM_CONF": str(places.conf), "PATH": search_path(places, kept.get("PATH", os.defpath))}


def search_path(places: Places, path: str) -> str:
    """PATH with the cluster's own commands last (a real ``seff`` goes first), another Slurm's programs in front."""
    folders = path.split(os.pathsep)
    if str(places.bin) not in folders:
        folders.append(str(places.bin))
    if places.programs.exists() and str(places.programs) not in folders:
        folders.insert(0, str(places.programs))
    return os.pathsep.join(folders)


def inside_argv(
    places: Places, hostname: str, argv: Iterable[str], *, hosts: str, devices: str = "-", share_with: int = 0
) -> list[str]:
    """The command line that runs ``argv`` where the nodes' names resolve; see inside.py."""
    programs = str(places.programs) if places.programs.exists() else "-"
    words = [str(places.etc / hosts), hostname, devices, programs, str(share_with)]
    return [sys.executable, "-I", "-S", str(INSIDE), *words, *argv]


def start(daemon: Daemon, places: Places, share_with: int = 0) -> None:
    """Start a daemon in a session of its own, so that neither Ctrl-C nor the end of this program reaches it."""
    argv = list(daemon.argv)
    if daemon.hostname is not None:
        argv = inside_argv(
            places, daemon.hostname, argv, hosts=NODE_HOSTS, devices=daemon.devices, share_with=share_with
        )
    with daemon.log.open("ab") as log:
        # setsid forks and ends: the daemon is nobody's child here, so no zombie stays when it ends.
        subprocess.run(
            ["setsid", "--fork", *argv],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            # A folder that is there as long as the cluster is (and no learner's project, which may vanish).
            cwd=places.var,
            env=clean_environment(places) | daemon.variables,
            check=True,
        )


def find(daemons: Iterable[Daemon]) -> dict[str, Process | None]:
    """The oldest process of each daemon, or None where it does not run."""
    processes = machine.own_processes()
    return {daemon.name: next(filter(daemon.is_it, processes), None) for daemon in daemons}


def namespace_of(daemons: Iterable[Daemon]) -> int:
    """Process id of a daemon that runs in the cluster's user namespace, or 0."""
    inside = [daemon for daemon in daemons if daemon.hostname is not None]
    return next((process.pid for process in find(inside).values() if process is not None), 0)


def wait_until(condition: Callable[[], bool], seconds: float, pause: float = 0.03) -> bool:
    """Ask again and again until the condition holds or the time is over; whether it held."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(pause)
    return True


def answers(path: Path) -> bool:
    """Whether somebody listens on a Unix socket."""
    with socket.socket(socket.AF_UNIX) as probe:
        try:
            probe.connect(str(path))
        except OSError:
            return False
    return True


def last_lines(path: Path, count: int = 5) -> str:
    """The end of a log, for a message; empty where there is none."""
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ""
    return "\n".join(f"    {line}" for line in lines[-count:])


def died(daemon: Daemon, logs: Path) -> ClusterError:
    """The error for a daemon that ended right after its start, with what it said last."""
    log = logs / f"{daemon.name.replace(' ', '-')}.log"
    said = last_lines(log) or last_lines(daemon.log) or "    (it said nothing)"
    return ClusterError(
        f"The daemon {daemon.name} does not stay up. The end of {log}:\n{said}",
        "Start afresh with: workshop cluster down && workshop cluster up",
    )


def check_port(daemon: Daemon) -> None:
    """Make sure that nobody else sits on the port of a daemon that is to start.

    Raises:
        ClusterError: naming the port, and who has it where that can be seen.
    """
    if daemon.port is None or wait_until(lambda: machine.port_is_free(daemon.port), 2):
        return
    raise ClusterError(
        f"Port {daemon.port}, which {daemon.name} needs, is taken by {machine.port_holder(daemon.port)}.",
        "Stop that program, or move the cluster to other ports: workshop cluster down && workshop cluster up",
    )


def of_the_nodes(processes: Iterable[Process], places: Places) -> list[Process]:
    """Those processes that run on a node of this cluster, as daemons, job steps, or what jobs left behind.

    Slurm's own tree of processes does not show the last kind: without control groups a process that starts a session
    of its own escapes.
    """
    steps = _step_daemons(places)
    return [process for process in processes if process.pid in steps or _is_on_node(process, places)]


def _step_daemons(places: Places) -> set[int]:
    """Process ids of the slurmstepds: each listens on a socket in its slurmd's spool folder."""
    sockets = [path for path in places.var.glob("slurmd-*/*") if path.is_socket()]
    return {pid for pid in map(_listener, sockets) if pid is not None}


def _listener(path: Path) -> int | None:
    """Process id of whoever listens on a Unix socket (unix(7), SO_PEERCRED)."""
    with socket.socket(socket.AF_UNIX) as probe:
        try:
            probe.connect(str(path))
        except OSError:
            return None
        credentials = probe.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    return struct.unpack("3i", credentials)[0]


def _is_on_node(process: Process, places: Places) -> bool:
    """Whether a process sees the nodes' hosts file, or (where there are no namespaces) has a job's variables."""
    try:
        if os.path.samefile(f"/proc/{process.pid}/root/etc/hosts", places.etc / NODE_HOSTS):
            return True
        variables = Path(f"/proc/{process.pid}/environ").read_bytes().split(b"\0")
    except OSError:
        return False
    of_a_job = any(variable.startswith(b"SLURM_JOB_ID=") for variable in variables)
    return of_a_job and os.fsencode(f"SLURM_CONF={places.conf}") in variables


def stop(processes: Iterable[Process], patience: float = 5.0) -> None:
    """End processes: SIGTERM, and SIGKILL for those that still run after ``patience`` seconds."""
    waiting = list(processes)
    for signal_number, seconds in ((signal.SIGTERM, patience), (signal.SIGKILL, 5.0)):
        for process in waiting:
            send(process, signal_number)
        if wait_until(partial(_all_ended, waiting), seconds):
            return


def _all_ended(processes: list[Process]) -> bool:
    return not any(map(machine.is_alive, processes))


def send(process: Process, signal_number: int) -> None:
    """Send a signal to this very process, if it still runs."""
    if machine.is_alive(process):
        with contextlib.suppress(ProcessLookupError):
            os.kill(process.pid, signal_number)


def stop_deaf(daemon: Daemon, path: Path) -> None:
    """Stop a daemon whose Unix socket was removed, as programs that tidy up /tmp do: it can't be reached any more."""
    process = find([daemon])[daemon.name]
    if process is not None and not wait_until(lambda: answers(path), 3):
        stop([process])


def wait_ready(daemon: Daemon, ready: Callable[[], bool], places: Places, seconds: float = 20) -> None:
    """Wait until a daemon that was just started does its work.

    Raises:
        ClusterError: it ended, or is not ready in time.
    """
    started = time.monotonic()
    seen = False

    def settled() -> bool:
        nonlocal seen
        if ready():
            return True
        process = find([daemon])[daemon.name]
        # A daemon that dislikes its configuration may come and go between two looks.
        if process is None and (seen or time.monotonic() - started > START_PATIENCE):
            raise died(daemon, places.logs)
        seen = process is not None
        return False

    if not wait_until(settled, seconds):
        raise died(daemon, places.logs)


def open_runtime(places: Places) -> int:
    """Make the runtime folder where it is missing, and open it.

    Raises:
        ClusterError: something else has its name (/tmp is open to all).
    """
    with contextlib.suppress(FileExistsError):
        places.runtime.mkdir(mode=0o711)
    try:
        folder = os.open(places.runtime, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except FileNotFoundError:
        return open_runtime(places)  # removed by a 'down' between the two lines above
    except OSError as error:
        raise _not_ours(places.runtime, str(error)) from None
    if os.fstat(folder).st_uid != os.geteuid():
        os.close(folder)
        raise _not_ours(places.runtime, "it belongs to another user")
    # Whatever the umask was: munge's clients must get through.
    os.fchmod(folder, 0o711)
    return folder


def _not_ours(path: Path, why: str) -> ClusterError:
    return ClusterError(
        f"{path} cannot hold the cluster's sockets: {why}.",
        "Have it removed, or choose another state folder: export WORKSHOP_CLUSTER_DIR=$HOME/another-folder",
    )


def node_states(places: Places) -> dict[str, str]:
    """State of each node as ``sinfo`` reports it; empty where slurmctld does not answer."""
    argv = [program("sinfo", places), "--noheader", "--Node", "--format=%N %T"]
    try:
        result = subprocess.run(
            argv, env=clean_environment(places), capture_output=True, text=True, timeout=15, check=False
        )
    except subprocess.TimeoutExpired:
        return {}
    # A trailing character marks a node that does not answer (*) or is about to change; sinfo(1).
    return {name: state.rstrip("*~#!%$@^-+") for name, state in map(str.split, result.stdout.splitlines())}


def all_nodes_work(states: dict[str, str]) -> bool:
    """Whether every node can take jobs."""
    return len(states) == len(NODES) and set(states.values()) <= WORKING_STATES


def wait_nodes(places: Places, seconds: float = 40) -> None:
    """Wait until every node takes jobs.

    Raises:
        ClusterError: with the end of slurmctld's log.
    """
    if wait_until(lambda: all_nodes_work(node_states(places)), seconds):
        return
    states = ", ".join(f"{name} {state}" for name, state in node_states(places).items()) or "no answer"
    log = places.logs / "slurmctld.log"
    raise ClusterError(
        f"The nodes do not take jobs ({states}). The end of {log}:\n{last_lines(log)}",
        "Start afresh with: workshop cluster down && workshop cluster up",
    )


@contextlib.contextmanager
def lock(places: Places, seconds: float = 60) -> Iterator[None]:
    """Only one ``up`` or ``down`` at a time works on a cluster. The lock is on the runtime folder: no file to leave.

    Raises:
        ClusterError: another one still works after ``seconds``.
    """
    deadline = time.monotonic() + seconds
    while True:
        folder = open_runtime(places)
        try:
            if _try_lock(folder) and _is_still(places.runtime, folder):
                yield
                return
        finally:
            os.close(folder)
        if time.monotonic() > deadline:
            raise ClusterError(
                f"Another 'workshop cluster' command has been working on {places.state} for {seconds:.0f} s.",
                "Wait for it to end, or end it, then try again.",
            )
        time.sleep(0.05)


def _try_lock(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _is_still(path: Path, descriptor: int) -> bool:
    """Whether a folder is still the one that was opened: a ``down`` may have removed it while we waited."""
    try:
        return os.path.samestat(path.stat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False
