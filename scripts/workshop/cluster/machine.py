"""Facts about this machine: programs, memory, ports and processes. Reads /proc, changes nothing."""

import os
import pwd
import resource
import shutil
import socket
import subprocess
from dataclasses import dataclass
from pathlib import Path

from workshop.cluster.errors import ClusterError

# Daemons live in sbin folders, which the PATH of an ordinary user may lack.
SBIN = ("/usr/local/sbin", "/usr/sbin", "/sbin")

SLURM_DAEMONS = ("munged", "slurmctld", "slurmd", "slurmstepd")
SLURM_PROGRAMS = (*SLURM_DAEMONS, "sbatch", "srun", "scontrol", "sinfo", "squeue", "scancel")
ACCOUNTING_PROGRAMS = ("slurmdbd", "mariadbd", "mariadb-install-db", "sacct", "sacctmgr")

# Package names: Debian's and Fedora's/EPEL's own package lists.
DEBIAN = "sudo apt install slurm-wlm munge"
DEBIAN_ACCOUNTING = "sudo apt install slurmdbd mariadb-server"
FEDORA = "sudo dnf install slurm slurm-slurmctld slurm-slurmd munge"
FEDORA_ACCOUNTING = "sudo dnf install slurm-slurmdbd mariadb-server"
ROCKY = "sudo dnf install epel-release && sudo dnf config-manager --set-enabled crb && " + FEDORA


@dataclass(frozen=True)
class Process:
    """One running process of this user, as /proc shows it. ``started`` is in clock ticks since boot."""

    pid: int
    parent: int
    started: int
    argv: tuple[str, ...]

    @property
    def program(self) -> str:
        return os.path.basename(self.argv[0]) if self.argv else ""


def find_program(name: str, first: Path | None = None) -> str | None:
    """The path of a program, looked for in the folder ``first``, on PATH and in the sbin folders."""
    folders = (*([str(first)] if first else []), os.environ.get("PATH", os.defpath), *SBIN)
    return shutil.which(name, path=os.pathsep.join(folders))


def missing_slurm(first: Path | None = None) -> list[str]:
    """The programs that the practice cluster needs and this machine (with the folder ``first``) lacks."""
    return [name for name in SLURM_PROGRAMS if find_program(name, first) is None]


def require_programs(first: Path | None = None) -> None:
    """Make sure that Slurm and munge are installed, or lie in the folder ``first``.

    Raises:
        ClusterError: naming the missing programs and the command that installs them here.
    """
    missing = missing_slurm(first)
    if missing:
        raise ClusterError(
            f"Slurm is not completely installed on this machine: no {', '.join(missing)} on PATH or in "
            f"{', '.join(SBIN)}.",
            install_command(),
        )


def missing_accounting(first: Path | None = None) -> list[str]:
    """The programs that accounting needs and this machine (with the folder ``first``) lacks."""
    return [name for name in ACCOUNTING_PROGRAMS if find_program(name, first) is None]


def _distribution() -> set[str]:
    """The words of ID and ID_LIKE in /etc/os-release (os-release(5)); empty where there is no such file."""
    try:
        lines = Path("/etc/os-release").read_text(encoding="utf-8").splitlines()
    except OSError:
        return set()
    pairs = dict(line.split("=", 1) for line in lines if "=" in line)
    return set(f"{pairs.get('ID', '')} {pairs.get('ID_LIKE', '')}".replace('"', "").split())


def install_command(accounting: bool = False) -> str:
    """The command that installs Slurm (or what accounting needs) on this distribution, or on the common ones."""
    names = _distribution()
    debian = DEBIAN_ACCOUNTING if accounting else DEBIAN
    fedora = FEDORA_ACCOUNTING if accounting else FEDORA
    if names & {"debian", "ubuntu"}:
        return f"Install with: {debian}"
    if "rhel" in names and not accounting:
        return f"Install with: {ROCKY}"
    if names & {"fedora", "rhel"}:
        return f"Install with: {fedora}"
    rocky = "" if accounting else f"\n  Rocky, Alma:    {ROCKY}"
    return f"Install with:\n  Debian, Ubuntu: {debian}\n  Fedora:         {fedora}{rocky}"


def slurm_version(first: Path | None = None) -> tuple[int, int]:
    """Slurm's major version, such as ``(22, 5)``; that of the folder ``first`` where it has one.

    Raises:
        ClusterError: ``slurmd -V`` does not run or prints something else.
    """
    program = find_program("slurmd", first)
    result = subprocess.run([program, "-V"], capture_output=True, text=True, timeout=20, check=False)
    try:
        year, month = result.stdout.split()[1].split(".")[:2]
        return int(year), int(month)
    except (IndexError, ValueError):
        raise ClusterError(
            f"'{program} -V' does not print a version: {(result.stdout + result.stderr).strip()!r}.",
            "Reinstall Slurm. " + install_command(),
        ) from None


def user_name() -> str:
    """The name of the user who runs this.

    Raises:
        ClusterError: the user id has no name, as in a container started with a bare number.
    """
    try:
        return pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        raise ClusterError(
            f"The user id {os.geteuid()} has no name on this machine (no line in /etc/passwd), and Slurm needs one.",
            "In a container: create the user in the image (useradd), or start the container as root.",
        ) from None


# --- memory ---


def _number_in(path: Path) -> int | None:
    try:
        text = path.read_text(encoding="ascii").strip()
    except OSError:
        return None
    return int(text) if text.isdigit() else None


def _cgroup_room() -> list[int]:
    """Bytes that each control group above this process still allows (cgroup v2; v1's root group for containers)."""
    room = []
    lines = Path("/proc/self/cgroup").read_text(encoding="utf-8").splitlines()
    for line in lines:
        if not line.startswith("0::"):
            continue
        group = Path("/sys/fs/cgroup") / line[3:].lstrip("/")
        for folder in (group, *group.parents):
            limit, used = _number_in(folder / "memory.max"), _number_in(folder / "memory.current")
            if limit is not None and used is not None:
                room.append(limit - used)
    v1 = Path("/sys/fs/cgroup/memory")
    limit, used = _number_in(v1 / "memory.limit_in_bytes"), _number_in(v1 / "memory.usage_in_bytes")
    if limit is not None and used is not None:
        room.append(limit - used)
    return room


def available_memory() -> int:
    """Mebibytes that new processes can use: the least of free memory, control group and ``ulimit -v``."""
    lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
    free = next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:"))
    candidates = [free, *_cgroup_room()]
    soft, _ = resource.getrlimit(resource.RLIMIT_AS)
    if soft != resource.RLIM_INFINITY:
        candidates.append(soft)
    return min(candidates) // 2**20


# --- ports ---


def port_is_free(port: int) -> bool:
    """Whether a program could listen on this TCP port now.

    Asks without listening: a daemon that starts at this moment would find its port taken, and end.
    """
    with socket.socket() as probe:
        # Slurm sets the same option: a closed connection that lingers does not count as taken.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("", port))
        except OSError:
            return False
    return True


def own_address() -> str:
    """The loopback address that this machine's name means, or "" where it means another one or none."""
    try:
        found = socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET, socket.SOCK_STREAM)
    except OSError:
        return ""
    first = found[0][4][0]  # the one that Slurm takes
    return first if first.startswith("127.") else ""


def _socket_inodes(port: int) -> set[str]:
    """The inodes of the sockets that listen on a port, from /proc/net/tcp and tcp6 (proc(5))."""
    inodes = set()
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        try:
            lines = Path(table).read_text(encoding="ascii").splitlines()[1:]
        except OSError:
            continue
        for fields in map(str.split, lines):
            if fields[3] == "0A" and int(fields[1].rsplit(":", 1)[1], 16) == port:
                inodes.add(fields[9])
    return inodes


def port_holder(port: int) -> str:
    """Who listens on a port, in words; programs of other users cannot be named."""
    wanted = {f"socket:[{inode}]" for inode in _socket_inodes(port)}
    for process in own_processes():
        try:
            with os.scandir(f"/proc/{process.pid}/fd") as entries:
                links = {os.readlink(entry.path) for entry in entries}
        except OSError:
            continue  # ended meanwhile, or not ours to look into
        if links & wanted:
            return f"process {process.pid} ({process.program})"
    return "another user's program"


# --- processes ---


def _read_process(pid: int, uid: int) -> Process | None:
    """One process, or None where it is another user's, a zombie, or gone."""
    try:
        argv = Path(f"/proc/{pid}/cmdline").read_bytes().rstrip(b"\0").split(b"\0")
        status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8", errors="replace")
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    fields = stat.rpartition(")")[2].split()
    owner = next(int(line.split()[2]) for line in status.splitlines() if line.startswith("Uid:"))
    if fields[0] in "ZX" or owner != uid:
        return None
    words = tuple(os.fsdecode(word) for word in argv)
    return Process(pid, int(fields[1]), int(fields[19]), words)


def own_processes() -> list[Process]:
    """All living processes of this user, oldest first."""
    uid = os.geteuid()
    pids = [int(name) for name in os.listdir("/proc") if name.isdigit()]
    found = (_read_process(pid, uid) for pid in pids)
    return sorted((process for process in found if process is not None), key=lambda p: (p.started, p.pid))


def is_alive(process: Process) -> bool:
    """Whether this very process still runs (a reused process id does not count)."""
    now = _read_process(process.pid, os.geteuid())
    return now is not None and now.started == process.started
