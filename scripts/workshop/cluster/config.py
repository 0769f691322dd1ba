"""What the practice cluster looks like, and the configuration files that say so to its daemons."""

import hashlib
import json
import os
import re
import secrets
import shlex
import stat
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from workshop.apptainer import tree as apptainer
from workshop.cluster import versions
from workshop.cluster.errors import ClusterError
from workshop.cluster.machine import find_program

# The file that tells a folder of ours from somebody else's: written before all others, never removed.
MARKER = ".workshop-cluster"
MARKER_TEXT = "A practice cluster lives in this folder: 'workshop cluster down' removes etc, var and bin from it.\n"
# What else lies in such a folder, in the order in which it is removed.
OURS = ("settings.json", "settings.new", "etc", "var", "bin", "logs")

CPU_NODES = ("cpu1", "cpu2")
GPU_NODES = ("gpu1", "gpu2")
NODES = CPU_NODES + GPU_NODES
LOGIN = "login"
GPUS_PER_NODE = 4
# What the nodes claim to have, whatever this machine has: nothing enforces it (config_overrides).
CORES = 8
CPU_NODE_MIB = 16_000
GPU_NODE_MIB = 32_000
MIB_PER_CORE = 1_000

ACCOUNTS = ("course", "def-student")
# Below the ports that the kernel hands out by itself (32768 and up, ip(7)), above those of known services.
FIRST_PORT, LAST_PORT, PORTS_EACH = 31_000, 32_700, 10
FIRST_JOB_IDS = 8000  # from 1000 on: below the ids of rehearsals

# Each node has an address of its own on the loopback interface (all of 127/8 is this machine): programs that turn
# a name into an address and back must come out at the same node. slurmdbd sends new limits to the address from which
# slurmctld called it, and the kernel takes 127.0.0.1 for such a call: so slurmctld listens there.
LOOPBACK = "127.0.0.1"
ADDRESSES = {LOGIN: LOOPBACK} | {name: f"127.10.0.{number}" for number, name in enumerate(NODES, start=2)}


def default_state() -> Path:
    """The state folder: $WORKSHOP_CLUSTER_DIR, else a folder under $XDG_STATE_HOME or ~/.local/state."""
    chosen = os.environ.get("WORKSHOP_CLUSTER_DIR")
    if chosen:
        return Path(chosen).absolute()
    parent = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(parent).absolute() / "workshop" / "cluster"


class Places:
    """Where everything of one practice cluster lies.

    ``state`` is the folder that the user chose. ``runtime`` holds the sockets: munge wants every folder above its
    socket to be open to all, and a socket's path may have 107 characters at most (unix(7)), so it lies in /tmp.
    ``root`` is ``state`` under its real name, by which processes are found again; where that has spaces or special
    characters, which Slurm's files cannot hold, under the name of a link in ``runtime`` (``linked``).
    """

    def __init__(self, state: Path) -> None:
        self.state = state.absolute()
        # Resolved: the same folder reached by two names is one cluster.
        real = self.state.resolve()
        digest = hashlib.sha256(os.fsencode(real)).hexdigest()[:8]
        self.runtime = Path(f"/tmp/workshop-cluster-{os.geteuid()}-{digest}")
        self.number = int(digest, 16)
        self.linked = re.fullmatch(r"[A-Za-z0-9._/+-]+", str(real)) is None
        self.root = self.runtime / "state" if self.linked else real
        self.etc = self.root / "etc"
        self.var = self.root / "var"
        self.bin = self.root / "bin"
        self.logs = self.root / "logs"

    @property
    def conf(self) -> Path:
        """What commands read, the user's and those in jobs: the value of SLURM_CONF."""
        return self.etc / "slurm.conf"

    def conf_of(self, daemon: str) -> Path:
        """What "slurmctld" or "slurmd" reads; see :data:`ROLES` for how it differs from :attr:`conf`."""
        return self.etc / f"{daemon}.conf"

    @property
    def programs(self) -> Path:
        """A link to the programs of another Slurm than this machine's; absent where this machine's is used."""
        return self.bin / "slurm"

    @property
    def stepd(self) -> Path:
        """Starts slurmstepd for a slurmd. Not in ``bin``, where a search for the real one would find it."""
        return self.etc / "slurmstepd"

    @property
    def marker(self) -> Path:
        return self.state / MARKER

    @property
    def settings(self) -> Path:
        return self.state / "settings.json"

    @property
    def munge_socket(self) -> Path:
        return self.runtime / "munge.socket"

    @property
    def database_socket(self) -> Path:
        return self.runtime / "private" / "database.socket"


def new_first_job_id(first_port: int) -> int:
    """From the clock: a job must not find the log or the checkpoints that an earlier cluster's job left under its id.

    From the ports, too: jobs compute ports from their ids, so clusters that run side by side begin apart.
    $WORKSHOP_FIRST_JOB_ID chooses another: the tests keep clear of ports that pages show.
    """
    if chosen := os.environ.get("WORKSHOP_FIRST_JOB_ID"):
        return int(chosen)
    blocks = (LAST_PORT - FIRST_PORT) // PORTS_EACH
    apart = (first_port - FIRST_PORT) // PORTS_EACH * (FIRST_JOB_IDS // blocks)
    return 1000 + (int(time.time()) // 2 + apart) % FIRST_JOB_IDS


@dataclass(frozen=True)
class Settings:
    """What one practice cluster was started with; kept in settings.json in the state folder.

    Attributes:
        first_port: slurmctld's port; the next four are the slurmds', the one after that is slurmdbd's.
        names: "namespace" (node names resolve inside jobs and in the cluster's shell), "system" (this machine knows
            the names by itself) or "none".
        hostname: the machine name that slurmctld sees.
        address: the loopback address that this name means, where slurmctld and slurmdbd listen; empty where it means
            another one or none, so that all daemons listen on all addresses.
        user: who runs the daemons.
        slurm: Slurm's major version, such as (22, 5).
        accounting: whether MariaDB and slurmdbd belong to this cluster.
        first_job_id: the number of its first job, see ``new_first_job_id``.
    """

    first_port: int
    names: str
    hostname: str
    address: str
    user: str
    slurm: tuple[int, int]
    accounting: bool
    first_job_id: int

    @property
    def dbd_port(self) -> int:
        return self.first_port + 1 + len(NODES)

    @property
    def ports(self) -> dict[str, int]:
        """Port of each daemon that listens on one, by the daemon's name."""
        ports = {"slurmctld": self.first_port}
        ports |= {f"slurmd {node}": self.first_port + 1 + index for index, node in enumerate(NODES)}
        if self.accounting:
            ports["slurmdbd"] = self.dbd_port
        return ports

    def save(self, path: Path) -> None:
        """Write atomically: a settings file that exists is complete."""
        new = path.with_suffix(".new")
        new.write_text(json.dumps(asdict(self), indent=1) + "\n", encoding="utf-8")
        new.replace(path)

    @classmethod
    def load(cls, path: Path) -> "Settings | None":
        """The settings of a cluster that was started in this folder, or None."""
        try:
            values = json.loads(path.read_text(encoding="utf-8"))
            return cls(**values | {"slurm": tuple(values["slurm"])})
        except FileNotFoundError:
            return None
        except (ValueError, TypeError, KeyError) as error:
            raise ClusterError(
                f"{path} is not a settings file of this version of the practice cluster ({error}).",
                "Remove what is left of the old one: workshop cluster down",
            ) from None


# Who reads a slurm.conf -> its own lines. All else is the same for all (and NO_CONF_HASH keeps Slurm from comparing).
# A daemon listens on the address of its own host's name only: nobody outside this machine has business here.
ROLES = {
    # MinJobAge: how long a finished job stays known.
    "slurmctld": ["MinJobAge=86400", "CommunicationParameters=NoCtldInAddrAny"],
    "slurmd": ["CommunicationParameters=NoInAddrAny"],
    # `sbatch --wait` looks after 2 s, 8 s, and then every 32 s; where jobs are forgotten early, every 2 s (sbatch.c,
    # _job_wait). No other command uses the value.
    # srun and salloc listen on all addresses: slurmd answers to the one that their call came from, and that is
    # 127.0.0.1 whatever the host (with NoInAddrAny here: "timeout waiting for task launch").
    "commands": ["MinJobAge=4"],
}


def slurm_conf(places: Places, settings: Settings, accounting: bool, role: str = "commands") -> str:
    """The text of a slurm.conf for one of ``ROLES``.

    ``accounting``: the database is filled, so slurmctld may use it and obey its limits. Without that slurmctld refuses
    to start: it wants the database, or what it once heard from it.
    """
    # Two kinds of CPU node, so that --constraint has something to choose from.
    features = dict(zip(CPU_NODES, ("skylake", "icelake"), strict=True))
    gres = f" Gres=gpu:v100:{GPUS_PER_NODE}"
    nodes = [_node_line(name, settings, CPU_NODE_MIB, features[name]) for name in CPU_NODES]
    nodes += [_node_line(name, settings, GPU_NODE_MIB, "icelake,v100", gres) for name in GPU_NODES]
    own = [line for line in ROLES[role] if settings.address or not line.startswith("CommunicationParameters=")]
    general = [*_general(places, settings), *own, *_accounting(places, settings, accounting)]
    return "\n".join([*general, *nodes, *_partitions(), ""])


def _general(places: Places, settings: Settings) -> list[str]:
    return [
        "# Written by 'workshop cluster up'; removed by 'workshop cluster down'. Keywords: slurm.conf(5).",
        "ClusterName=practice",
        f"SlurmctldHost={settings.hostname}({settings.address or LOOPBACK})",
        f"SlurmUser={settings.user}",
        f"SlurmdUser={settings.user}",
        "AuthType=auth/munge",
        # cred_expire also says how long a requeued job waits before it starts again.
        f"AuthInfo=socket={places.munge_socket},cred_expire=10",
        f"SlurmctldPort={settings.first_port}",
        f"FirstJobId={settings.first_job_id}",
        f"SlurmctldPidFile={places.var}/slurmctld.pid",
        f"SlurmctldLogFile={places.logs}/slurmctld.log",
        f"StateSaveLocation={places.var}/slurmctld",
        f"SlurmdPidFile={places.var}/slurmd-%n.pid",
        f"SlurmdLogFile={places.logs}/slurmd-%n.log",
        f"SlurmdSpoolDir={places.var}/slurmd-%n",
        f"MailProg={places.bin}/mail",
        # No control groups: without root they are not ours. So memory limits are not enforced.
        "ProctrackType=proctrack/linuxproc",
        "TaskPlugin=task/none",
        "JobAcctGatherType=jobacct_gather/linux",
        "JobAcctGatherFrequency=task=2",
        "SelectType=select/cons_tres",
        "SelectTypeParameters=CR_Core_Memory",
        f"DefMemPerCPU={MIB_PER_CORE}",
        "GresTypes=gpu",
        # The nodes may claim more cores and memory than this machine has.
        "SlurmdParameters=config_overrides",
        # Short waits: a learner's job starts at once, and a node that came back is used at once.
        "SchedulerParameters=bf_interval=1,sched_interval=2,sched_min_interval=0,batch_sched_delay=0",
        "ReturnToService=2",
        "SlurmdTimeout=30",
        "SlurmctldTimeout=30",
        "MpiDefault=none",
        *_plugins(places),
        # slurmctld alone reads the file anew when accounting becomes ready.
        "DebugFlags=NO_CONF_HASH",
    ]


def _plugins(places: Places) -> list[str]:
    """Where the plugins of another Slurm than this machine's lie."""
    return [f"PluginDir={versions.plugins(places.programs)}"] if places.programs.exists() else []


def _accounting(places: Places, settings: Settings, accounting: bool) -> list[str]:
    if not accounting:
        return ["AccountingStorageType=accounting_storage/none", "PriorityType=priority/basic"]
    return [
        "AccountingStorageType=accounting_storage/slurmdbd",
        f"AccountingStorageHost={settings.address or LOOPBACK}",
        f"AccountingStoragePort={settings.dbd_port}",
        # Not a password: with munge, this is the socket for talking to slurmdbd (slurm.conf(5)).
        f"AccountingStoragePass={places.munge_socket}",
        "AccountingStorageTRES=gres/gpu,gres/gpu:v100",
        "AccountingStorageEnforce=associations,limits,qos",
        "PriorityType=priority/multifactor",
        "PriorityDecayHalfLife=7-0",
        "PriorityMaxAge=1-0",
        "PriorityWeightAge=1000",
        "PriorityWeightFairshare=10000",
        "PriorityWeightJobSize=500",
        "PriorityWeightQOS=2000",
    ]


def _node_line(name: str, settings: Settings, mib: int, features: str, gres: str = "") -> str:
    # Without a host name of their own all slurmds listen on the machine's.
    address = ADDRESSES[name] if settings.names == "namespace" or not settings.address else settings.address
    return (
        f"NodeName={name} NodeAddr={address} Port={settings.ports[f'slurmd {name}']} CPUs={CORES} Boards=1 "
        f"SocketsPerBoard=1 CoresPerSocket={CORES} ThreadsPerCore=1 RealMemory={mib} Feature={features}{gres}"
    )


def _partitions() -> list[str]:
    limits = "DefaultTime=00:10:00 MaxTime=1-00:00:00 State=UP"
    return [
        f"PartitionName=cpu Nodes={','.join(CPU_NODES)} Default=YES {limits}",
        f"PartitionName=gpu Nodes={','.join(GPU_NODES)} {limits}",
    ]


def gres_conf(places: Places, settings: Settings) -> str:
    """The text of gres.conf: four character devices a GPU node (slurmd takes nothing else for a GPU).

    Raises:
        ClusterError: no namespace, and this machine lacks character devices to stand for GPUs.
    """
    files = gpu_devices(places, settings)
    return f"AutoDetect=off\nNodeName={','.join(GPU_NODES)} Name=gpu Type=v100 File={files}\n"


def gpu_devices(places: Places, settings: Settings) -> str:
    """Slurm's list of the files that stand for GPUs; in a namespace inside.py makes them, elsewhere consoles do."""
    last = GPUS_PER_NODE - 1
    if settings.names == "namespace":
        return f"{places.var}/devices/gpu[0-{last}]"
    consoles = [Path(f"/dev/tty{number}") for number in range(GPUS_PER_NODE)]
    if all(path.exists() and stat.S_ISCHR(path.stat().st_mode) for path in consoles):
        return f"/dev/tty[0-{last}]"
    # A container has no consoles, but always these four.
    return "/dev/null,/dev/zero,/dev/full,/dev/random"


def hosts() -> str:
    """The machine's own hosts file with the cluster's names added in front."""
    own = Path("/etc/hosts").read_text(encoding="utf-8", errors="replace")
    lines = [f"{address} {name}" for name, address in ADDRESSES.items()]
    return "\n".join(["127.0.0.1 localhost", *lines, "", own])


def slurmdbd_conf(places: Places, settings: Settings) -> str:
    """The text of slurmdbd.conf(5)."""
    return "\n".join(
        [
            "AuthType=auth/munge",
            f"AuthInfo=socket={places.munge_socket}",
            "DbdHost=localhost",
            f"DbdAddr={settings.address or LOOPBACK}",
            *(["CommunicationParameters=NoInAddrAny"] if settings.address else []),
            f"DbdPort={settings.dbd_port}",
            f"SlurmUser={settings.user}",
            f"PidFile={places.var}/slurmdbd.pid",
            f"LogFile={places.logs}/slurmdbd.log",
            *_plugins(places),
            "StorageType=accounting_storage/mysql",
            # MariaDB knows the user by the socket's peer: no password. Slurm cannot name a socket; the client library
            # takes its path from MYSQL_UNIX_PORT (see daemons.py).
            "StorageHost=localhost",
            f"StorageUser={settings.user}",
            "StorageLoc=slurm_acct_db",
            "",
        ]
    )


def database_conf(places: Places) -> str:
    """The option file of MariaDB: no network, little memory."""
    return "\n".join(
        [
            "[mysqld]",
            f"datadir={places.var}/database",
            f"socket={places.database_socket}",
            f"pid-file={places.var}/mariadbd.pid",
            # Not /tmp: a mariadbd that starts removes all temporary tables that it finds there, another's as well.
            f"tmpdir={places.var}/database-tmp",
            f"log-error={places.logs}/mariadbd.log",
            "skip-networking",
            "skip-name-resolve",
            "performance-schema=OFF",
            "innodb-buffer-pool-size=32M",
            "innodb-log-file-size=16M",
            "innodb-lock-wait-timeout=900",
            # The kernel's asynchronous I/O is limited, and forbidden in many containers.
            "innodb-use-native-aio=OFF",
            # Losing the last second after a power cut is no loss here; waiting for the disk at each commit is.
            "innodb-flush-log-at-trx-commit=2",
            "",
        ]
    )


MAIL = """#!/bin/sh
# Slurm's MailProg: keeps the mails that jobs ask for (--mail-type) in a file instead of sending them.
# Called as: mail -s SUBJECT ADDRESS
{{ printf 'To: %s\\nSubject: %s\\n' "$3" "$2"; printf 'Date: '; date; echo; }} >> '{logs}/mail.txt'
"""


def write_executable(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)


def write_all(places: Places, settings: Settings, accounting: bool) -> None:
    """Write every configuration file; an existing munge key stays, so that running jobs stay valid."""
    files = {
        places.conf.name: slurm_conf(places, settings, accounting),
        **{
            places.conf_of(daemon).name: slurm_conf(places, settings, accounting, daemon)
            for daemon in ("slurmctld", "slurmd")
        },
        "gres.conf": gres_conf(places, settings),
        # Equal, but not the same file: see daemons.py.
        "hosts": hosts(),
        "hosts-nodes": hosts(),
        # An empty plugstack.conf keeps the plugins of a real Slurm's /etc/slurm out.
        "plugstack.conf": "",
    }
    if settings.slurm >= (23, 2):
        # From here on slurmd looks for control groups even where no plugin wants them.
        files["cgroup.conf"] = "CgroupPlugin=disabled\n"
    if settings.accounting:
        files["database.cnf"] = database_conf(places)
        files["slurmdbd.conf"] = slurmdbd_conf(places, settings)
    for name, text in files.items():
        path = places.etc / name
        path.write_text(text, encoding="utf-8")
        # slurmdbd refuses a configuration that others may read (slurmdbd.conf(5)).
        path.chmod(0o600 if name == "slurmdbd.conf" else 0o644)
    key = places.etc / "munge.key"
    if not key.exists():
        key.touch(mode=0o400)
        key.chmod(0o600)
        key.write_bytes(secrets.token_bytes(128))
        key.chmod(0o400)
    seff = shlex.join([sys.executable, str(Path(__file__).with_name("seff.py"))])
    # slurmd hands its own configuration on to jobs; they shall have that of commands.
    stepd = f"SLURM_CONF={shlex.quote(str(places.conf))} exec {shlex.quote(program('slurmstepd', places))}"
    write_executable(places.stepd, f'#!/bin/sh\n{stepd} "$@"\n')
    write_executable(places.bin / "seff", f'#!/bin/sh\nexec {seff} "$@"\n')
    link_apptainer(places)
    write_executable(places.bin / "mail", MAIL.format(logs=places.logs))


def link_apptainer(places: Places) -> None:
    """Let the nodes find the Apptainer that `workshop apptainer install` made; one of the machine's own goes first."""
    link, target = places.bin / "apptainer", apptainer.wrapper()
    link.unlink(missing_ok=True)
    if target:
        link.symlink_to(target)


def program(name: str, places: Places) -> str:
    """Path of a program that was checked to be here before; of the cluster's own Slurm where it has one."""
    path = find_program(name, places.programs)
    if path is None:
        raise ClusterError(
            f"The program {name} has gone from this machine.", "Install it again, or: workshop cluster down"
        )
    return path
