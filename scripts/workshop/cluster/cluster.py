"""The practice cluster as an object: ``Cluster().up()``, ``.status()``, ``.run([...])``, ``.down()``."""

import contextlib
import fcntl
import os
import shlex
import shutil
import socket
import subprocess
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from workshop import modules
from workshop.cluster import accounting, daemons, machine, versions
from workshop.cluster.config import (
    ADDRESSES,
    CPU_NODES,
    FIRST_PORT,
    GPUS_PER_NODE,
    LAST_PORT,
    LOGIN,
    MARKER,
    MARKER_TEXT,
    NODES,
    OURS,
    PORTS_EACH,
    Places,
    Settings,
    default_state,
    hosts,
    new_first_job_id,
    write_all,
)
from workshop.cluster.errors import ClusterError
from workshop.cluster.machine import Process

# Mebibytes of free memory. Resident, measured: Slurm and munge 50, MariaDB and slurmdbd 115; jobs need room, too.
LEAST_MEMORY = 256
LEAST_MEMORY_ACCOUNTING = 640


@dataclass(frozen=True)
class Status:
    """What runs of a practice cluster.

    Attributes:
        settings: what it was started with; None where none was started in this folder.
        daemons: process of each daemon that should run, by name ("munged", "slurmctld", "slurmd cpu1", …,
            "mariadbd", "slurmdbd"); None for one that does not.
        nodes: state of each node as ``sinfo`` reports it ("idle", "mixed", "down", …); empty while slurmctld is
            silent.
        accounting: "off", "starting", "ready", or why it does not work.
    """

    settings: Settings | None
    daemons: dict[str, Process | None]
    nodes: dict[str, str]
    accounting: str

    @property
    def missing(self) -> list[str]:
        """Names of the daemons that should run and do not."""
        return [name for name, process in self.daemons.items() if process is None]

    @property
    def started(self) -> bool:
        """Whether a cluster was started here and not stopped, whatever still runs of it."""
        return self.settings is not None

    @property
    def running(self) -> bool:
        """Whether at least one of the daemons runs."""
        return any(self.daemons.values())

    @property
    def healthy(self) -> bool:
        """Whether every daemon runs and every node can take jobs."""
        nodes_work = daemons.all_nodes_work(self.nodes)
        return self.started and not self.missing and nodes_work and self.accounting in ("off", "starting", "ready")


def _silent(_: str) -> None:
    """Where nobody wants to read what ``up`` does."""


class Cluster:
    """A practice cluster: real Slurm daemons of this user on this machine.

    Args:
        state_dir: folder that holds it; default as in ``workshop cluster`` (``$WORKSHOP_CLUSTER_DIR``, else
            ``~/.local/state/workshop/cluster``). One folder is one cluster.
    """

    def __init__(self, state_dir: str | os.PathLike | None = None) -> None:
        self.places = Places(Path(state_dir) if state_dir is not None else default_state())
        self._claimed = contextlib.ExitStack()  # ports, from their choice until the daemons listen

    # --- looking ---

    def status(self) -> Status:
        """What runs now; waits for an ``up`` or ``down`` that works on it, and for a restart of slurmctld."""
        self._require_ours()
        if not self.places.settings.exists():
            return Status(None, {}, {}, "off")
        with daemons.lock(self.places):
            return self._look()

    def _look(self) -> Status:
        settings = Settings.load(self.places.settings)
        if settings is None:
            return Status(None, {}, {}, "off")
        state = accounting.read_state(self.places)
        wanted = daemons.core_daemons(self.places, settings)
        if state == accounting.READY:
            wanted += daemons.database_daemons(self.places, settings)
        found = daemons.find(wanted)
        nodes = daemons.node_states(self.places) if found["munged"] and found["slurmctld"] else {}
        return Status(settings, found, nodes, self._accounting(settings, state))

    def _accounting(self, settings: Settings, state: str) -> str:
        if not settings.accounting:
            return "off"
        if state:
            return state
        if accounting.find_helper(self.places) is not None:
            return "starting"
        # It may have finished between the two looks.
        return accounting.read_state(self.places) or "its set-up was ended before it was complete"

    # --- using ---

    def env(self) -> dict[str, str]:
        """The variables that point a program at this cluster (beside taking away those of another Slurm)."""
        return {
            "SLURM_CONF": str(self.places.conf),
            "WORKSHOP_CLUSTER_DIR": str(self.places.state),
            "PATH": daemons.search_path(self.places, os.environ.get("PATH", os.defpath)),
        }

    def environment(self) -> dict[str, str]:
        """A complete environment: this process's, without another Slurm's variables, with :meth:`env`.

        Where Lmod is installed, bash scripts have ``module`` with the course's module tree.
        """
        kept = modules.without_state(daemons.clean_environment(self.places))
        return kept | self.env() | modules.environment()

    def command(self, argv: Sequence[str]) -> list[str]:
        """The command line that runs ``argv`` where the node names resolve (``argv`` itself where they do anyway)."""
        settings = self._require_started()
        if settings.names != "namespace" or names_resolve():
            return list(argv)
        share_with = daemons.namespace_of(daemons.core_daemons(self.places, settings))
        return daemons.inside_argv(self.places, LOGIN, argv, hosts=daemons.LOGIN_HOSTS, share_with=share_with)

    def run(self, argv: Sequence[str], **options: Any) -> subprocess.CompletedProcess:
        """Run a command as on the cluster's login node; ``options`` are those of :func:`subprocess.run`.

        ``env`` in the options adds to the cluster's environment.

        Raises:
            ClusterError: the cluster is not up.
        """
        env = self.environment() | options.pop("env", {})
        return subprocess.run(self.command(argv), env=env, **options)  # check is the caller's choice

    def _require_started(self) -> Settings:
        self._require_ours()
        settings = Settings.load(self.places.settings)
        if settings is None and "PRACTICE_SSH" in os.environ:
            raise ClusterError(
                "This is the practice laptop (workshop ssh), which has no scheduler.",
                "Type it in another terminal, or leave the practice laptop first: exit",
            )
        if settings is None:
            raise ClusterError(
                f"No practice cluster is up in {self.places.state}.", "Start one with: workshop cluster up"
            )
        return settings

    # --- starting ---

    def up(
        self,
        *,
        wait_accounting: bool = False,
        want_accounting: bool = True,
        first_port: int | None = None,
        slurm: str = "",
        say: Callable[[str], None] = _silent,
    ) -> Status:
        """Start the cluster, or what is missing of it, and wait until its nodes take jobs.

        Args:
            wait_accounting: wait until sacct and sacctmgr work, too.
            want_accounting: start MariaDB and slurmdbd, where they are installed.
            first_port: first of six TCP ports; by default free ones are looked for.
            slurm: another version than that of this machine, such as "24.11"; default $WORKSHOP_SLURM.
            say: called with each line of what happens.

        Raises:
            ClusterError: with the mend, for everything that keeps it from working.
        """
        programs = _programs(slurm, say)
        machine.require_programs(programs)
        self._make_state()
        options = {"want_accounting": want_accounting, "first_port": first_port, "programs": programs, "say": say}
        with daemons.lock(self.places):
            self._temporary.unlink(missing_ok=True)
            self._up(options)
        if wait_accounting:
            self.start_accounting()
        return self.status()

    def _up(self, options: dict[str, Any]) -> None:
        """What up() does while it holds the lock."""
        say = options.get("say", _silent)
        with self._claimed:
            try:
                settings = self._settings_for_start(
                    options.get("want_accounting", True), options.get("first_port"), options.get("programs"), say
                )
            except ClusterError:
                if not self.places.settings.exists():
                    self._down()  # nothing was started yet: leave no half-made folders
                raise
            self._start_core(settings, say)
            self._start_accounting(settings, say)

    def _make_state(self) -> None:
        """Make the state folder and mark it as ours, without taking over a folder that is somebody else's.

        Raises:
            ClusterError: it cannot be made, or holds other things.
        """
        state = self.places.state
        try:
            state.mkdir(parents=True, exist_ok=True)
            self._require_ours()
            with contextlib.suppress(FileExistsError), self.places.marker.open("x", encoding="utf-8") as marker:
                marker.write(MARKER_TEXT)
            strange = set(os.listdir(state)) - {MARKER, *OURS}
            writable = os.access(state, os.W_OK | os.X_OK)
        except OSError as error:
            raise _bad_state(state, error.strerror) from None
        if strange:
            raise _bad_state(state, f"it holds other things, such as {sorted(strange)[0]}")
        if not writable:
            raise _bad_state(state, "you may not write there")

    def _require_ours(self) -> None:
        """Make sure that the state folder is a practice cluster's, or may become one: no other is read or changed.

        Raises:
            ClusterError: it is somebody's home folder or above one, or it holds files and not the marker.
        """
        state, home = self.places.state, Path(os.path.expanduser("~")).resolve()
        if state.resolve() in (home, *home.parents):
            raise _bad_state(state, "it is your home folder, or holds it, and 'down' would remove its bin/")
        try:
            names = set(os.listdir(state))
            owner = self.places.marker.lstat().st_uid if MARKER in names else os.geteuid()
        except FileNotFoundError:
            return
        except OSError as error:
            raise _bad_state(state, error.strerror) from None
        if names and MARKER not in names:
            raise _not_marked(state, names)
        if owner != os.geteuid():
            raise _bad_state(state, "it is another user's practice cluster")

    def _settings_for_start(
        self, want_accounting: bool, first_port: int | None, programs: Path | None, say: Callable[[str], None]
    ) -> Settings:
        """Settings of what runs already, or new ones where nothing does; with all files written."""
        old = Settings.load(self.places.settings)
        self._make_folders()
        if old is not None:
            self._require_same_slurm(old, programs)
            found = daemons.find(self._all_daemons(old))
            if any(found.values()):
                if found["slurmctld"] is None:
                    self._write(old)
                return old
            say("An earlier cluster here was never stopped, and nothing of it runs any more: starting it again.")
        else:
            # Somebody may have removed the folder of a cluster that ran.
            self._stop_all()
            self._clear(logs=True)
            self._make_folders()
            if programs:
                self.places.programs.symlink_to(programs)
        settings = self._new_settings(want_accounting, first_port)
        if old is not None and old.accounting:
            settings = replace(settings, accounting=not machine.missing_accounting(self.places.programs))
        self._write(settings)
        settings.save(self.places.settings)
        return settings

    def _require_same_slurm(self, old: Settings, programs: Path | None) -> None:
        """Make sure that a cluster that was started before has the Slurm that is wanted now, if one is wanted.

        Raises:
            ClusterError: it has another one.
        """
        if programs and old.slurm != machine.slurm_version(programs):
            raise ClusterError(
                f"The practice cluster in {self.places.state} has Slurm {version_name(old.slurm)}.",
                "Stop it first: workshop cluster down. Or let this one have a folder of its own, such as: "
                "export WORKSHOP_CLUSTER_DIR=$HOME/practice-cluster",
            )

    def _write(self, settings: Settings) -> None:
        ready = settings.accounting and accounting.read_state(self.places) == accounting.READY
        write_all(self.places, settings, accounting=ready)

    def _new_settings(self, want_accounting: bool, first_port: int | None) -> Settings:
        memory = machine.available_memory()
        if memory < LEAST_MEMORY:
            raise ClusterError(
                f"Too little memory: {memory} MiB are free for new programs, and the practice cluster needs "
                f"{LEAST_MEMORY} MiB.",
                "End programs that you don't need, or raise the limit (ulimit -v, or the container's memory).",
            )
        names = self._names_mode()
        port = self._choose_ports() if first_port is None else _checked_ports(first_port)
        return Settings(
            first_port=port,
            names=names,
            hostname=LOGIN if names == "namespace" else socket.gethostname().split(".")[0],
            address=ADDRESSES[LOGIN] if names == "namespace" else machine.own_address(),
            user=machine.user_name(),
            slurm=machine.slurm_version(self.places.programs),
            accounting=want_accounting and _room_for_accounting(self.places),
            first_job_id=new_first_job_id(port),
        )

    def _names_mode(self) -> str:
        """How node names resolve on this machine: try it rather than guess."""
        if names_resolve():
            return "system"
        (self.places.etc / "hosts").write_text(hosts(), encoding="utf-8")
        argv = ["getent", "hosts", CPU_NODES[0]]
        argv = daemons.inside_argv(self.places, LOGIN, argv, hosts=daemons.LOGIN_HOSTS)
        result = subprocess.run(argv, capture_output=True, text=True, timeout=20, check=False)
        return "namespace" if result.stdout.startswith(ADDRESSES[CPU_NODES[0]]) else "none"

    def _choose_ports(self) -> int:
        """The first of a block of free ports; where to look first depends on the state folder."""
        blocks = (LAST_PORT - FIRST_PORT) // PORTS_EACH
        for offset in range(blocks):
            first = FIRST_PORT + (self.places.number + offset) % blocks * PORTS_EACH
            if self._claim(first) and all(machine.port_is_free(first + index) for index in range(len(NODES) + 2)):
                return first
        raise ClusterError(
            f"No {len(NODES) + 2} free TCP ports in a row between {FIRST_PORT} and {LAST_PORT} on this machine.",
            "Choose free ones yourself: workshop cluster up --first-port PORT",
        )

    def _claim(self, first: int) -> bool:
        """Keep other clusters that start now, whoever's, from taking the same block of ports before our daemons listen.

        The claim is an abstract socket (unix(7)): it exists once in a network, as ports do, and goes with its holder.
        """
        claim = socket.socket(socket.AF_UNIX)
        try:
            claim.bind(f"\0workshop-cluster-ports-{first}")
        except OSError:
            claim.close()
            return False
        self._claimed.enter_context(claim)
        return True

    def _make_folders(self) -> None:
        places = self.places
        for name in ("etc", "var", "bin", "logs"):
            (places.state / name).mkdir(exist_ok=True)
        if places.linked:
            with contextlib.suppress(FileNotFoundError):
                places.root.unlink()
            places.root.symlink_to(places.state.resolve())
        names = ("slurmctld", "devices", "database-tmp", *(f"slurmd-{node}" for node in NODES))
        for folder in (*(places.var / name for name in names), places.database_socket.parent):
            folder.mkdir(exist_ok=True, mode=0o755)
        # Only this user may talk to the database.
        places.database_socket.parent.chmod(0o700)
        for number in range(GPUS_PER_NODE):
            (places.var / "devices" / f"gpu{number}").touch()

    def _start_core(self, settings: Settings, say: Callable[[str], None]) -> None:
        """Start what is missing of munged, slurmctld and the slurmds; of the database where it is ready."""
        wanted = daemons.core_daemons(self.places, settings)
        munged, *slurm = wanted
        daemons.stop_deaf(munged, self.places.munge_socket)
        found = daemons.find(wanted)
        missing = [daemon for daemon in slurm if found[daemon.name] is None]
        for daemon in missing:
            daemons.check_port(daemon)
        if found["munged"] is None:
            daemons.start(munged, self.places)
        daemons.wait_ready(munged, lambda: daemons.answers(self.places.munge_socket), self.places)
        started = [name for name, process in found.items() if process is None]
        # Before slurmctld, which wants to ask it.
        started += self._start_database(settings)
        self._start_slurm(slurm, missing)
        if started:
            say(f"Started {', '.join(started)}.")
        daemons.wait_nodes(self.places)

    def _start_slurm(self, slurm: list[daemons.Daemon], missing: list[daemons.Daemon]) -> None:
        for daemon in missing:
            daemons.start(daemon, self.places, daemons.namespace_of(slurm))
            if daemons.namespace_of(slurm) == 0:
                # The first one makes the namespace that the others share: wait for it.
                self._wait_daemon(daemon)
        for daemon in missing:
            self._wait_daemon(daemon)

    def _wait_daemon(self, daemon: daemons.Daemon) -> None:
        daemons.wait_ready(daemon, lambda: not machine.port_is_free(daemon.port), self.places)

    def _start_database(self, settings: Settings) -> list[str]:
        """Start what is missing of a database that was set up; the names of what was started."""
        if not settings.accounting or accounting.read_state(self.places) != accounting.READY:
            return []
        database = daemons.database_daemons(self.places, settings)
        daemons.stop_deaf(database[0], self.places.database_socket)
        found = daemons.find(database)
        accounting.start_database(self.places, settings)
        return [name for name, process in found.items() if process is None]

    def _start_accounting(self, settings: Settings, say: Callable[[str], None]) -> None:
        if not settings.accounting or accounting.read_state(self.places) == accounting.READY:
            return
        if accounting.find_helper(self.places) is None:
            accounting.start_helper(self.places)
            say("Accounting starts in the background.")

    def start_accounting(self) -> None:
        """Add accounting to a cluster that runs without it, and wait until it works.

        Raises:
            ClusterError: no cluster is up; accounting is not installed, or memory is short; its set-up failed.
        """
        with daemons.lock(self.places):
            settings = self._require_started()
            if not settings.accounting and _room_for_accounting(self.places):
                settings = replace(settings, accounting=True)
                self._write(settings)
                settings.save(self.places.settings)
                self._start_accounting(settings, _silent)
        self.wait_accounting()

    def wait_accounting(self, seconds: float = 180) -> None:
        """Wait until sacct and sacctmgr work.

        Raises:
            ClusterError: accounting is off, or its set-up failed.
        """

        def settled() -> bool:
            return self.status().accounting != "starting"

        daemons.wait_until(settled, seconds, pause=0.2)
        state = self.status().accounting
        if state == accounting.READY:
            return
        if state == "off":
            missing = machine.missing_accounting(self.places.programs)
            reason = f"no {', '.join(missing)} on this machine" if missing else "the cluster runs without it"
            mend = "Add it with: workshop cluster up --wait-accounting"
            mend = machine.install_command(accounting=True) if missing else mend
            raise ClusterError(f"There is no accounting: {reason}.", mend)
        raise ClusterError(
            f"Accounting is not ready: {state}. See {self.places.logs}/accounting.log.",
            "Try again with: workshop cluster up --wait-accounting",
        )

    @classmethod
    @contextlib.contextmanager
    def running(cls, state_dir: str | os.PathLike | None = None, **options: Any) -> Iterator["Cluster"]:
        """A cluster that is up inside the ``with`` block: the one that is up already, or one that is started.

        One that was started here is stopped at the end; where several programs use it at once, by the last of them.
        ``workshop cluster up`` makes it stay.

        Args:
            state_dir: as for :class:`Cluster`.
            options: those of :meth:`up`.

        Raises:
            ClusterError: as :meth:`up`.
        """
        cluster = cls(state_dir)
        options["programs"] = _programs(options.pop("slurm", ""), options.get("say", _silent))
        machine.require_programs(options["programs"])
        cluster._make_state()
        try:
            with cluster._use(options):
                yield cluster
        finally:
            cluster._stop_if_unused()

    @contextlib.contextmanager
    def _use(self, options: dict[str, Any]) -> Iterator[None]:
        """Bring the cluster up and hold a shared lock on its list of users meanwhile."""
        with contextlib.ExitStack() as stack:
            with daemons.lock(self.places):
                temporary = self._temporary.exists() or not self._look().running
                self._up(options)
                if temporary:
                    self._temporary.touch()
                users = stack.enter_context(self._users.open("ab"))
                fcntl.flock(users, fcntl.LOCK_SH)
            if options.get("wait_accounting"):
                self.wait_accounting()
            self._let_accounting_settle()
            yield

    def _let_accounting_settle(self) -> None:
        """Wait until accounting is ready or has failed.

        When it becomes ready, slurmctld reads its configuration anew; a job submitted just then can be refused with
        "Requested node configuration is not available".
        """

        def settled() -> bool:
            status = self.status()
            return status.healthy and status.accounting != "starting"

        daemons.wait_until(settled, 60, pause=0.2)

    def _stop_if_unused(self) -> None:
        """Stop a cluster that running() started, unless another program is inside running() as well."""
        with daemons.lock(self.places):
            if not self._temporary.exists():
                return
            with self._users.open("ab") as users:
                try:
                    fcntl.flock(users, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    return
                self._down()

    @property
    def _temporary(self) -> Path:
        return self.places.runtime / "temporary"

    @property
    def _users(self) -> Path:
        return self.places.runtime / "users"

    # --- stopping ---

    def down(self) -> bool:
        """Stop everything, jobs included, and remove every file but the logs.

        Returns:
            Whether there was anything to stop or remove.

        Raises:
            ClusterError: the folder is not a practice cluster's.
        """
        self._require_ours()
        with daemons.lock(self.places):
            return self._down()

    def _down(self) -> bool:
        ran = self._stop_all()
        removed = self._clear()
        # Here in any case: the lock lies on it.
        shutil.rmtree(self.places.runtime)
        return ran or removed

    def _all_daemons(self, settings: Settings) -> list[daemons.Daemon]:
        return daemons.core_daemons(self.places, settings) + daemons.database_daemons(self.places, settings)

    def _stop_all(self) -> bool:
        """Stop every process of this cluster, munged last: the others need it to end in good order."""
        mine = self._own_processes()
        if os.getpid() in {process.pid for process in mine}:
            raise ClusterError(
                "This command runs inside a job of the practice cluster, which it would end halfway.",
                "Leave the job (exit, or Ctrl-D) and try again.",
            )
        daemons.stop([process for process in mine if process.program != "munged"], patience=2)
        # Once more: a job may have started something meanwhile.
        daemons.stop(self._own_processes(), patience=2)
        return bool(mine)

    def _own_processes(self) -> list[Process]:
        """Every process that belongs to this cluster: daemons, helper, and what runs in jobs or is left of them."""
        marks = {
            str(self.places.conf),
            *(str(self.places.conf_of(daemon)) for daemon in ("slurmctld", "slurmd")),
            f"--socket={self.places.munge_socket}",
            f"--defaults-file={self.places.etc}/database.cnf",
        }
        helper = accounting.helper_mark(self.places)
        processes = machine.own_processes()
        mine = [
            process
            for process in processes
            # By program, too: an editor may have one of these files as its argument.
            if (process.program in daemons.PROGRAMS and marks & set(process.argv))
            or all(mark in process.argv for mark in helper)
        ]
        on_nodes = daemons.of_the_nodes(processes, self.places)
        return list(dict.fromkeys(mine + on_nodes))

    def _clear(self, logs: bool = False) -> bool:
        """Remove what up made in the state folder; the logs only if told to, the marker never.

        Raises:
            ClusterError: the folder is not a practice cluster's.
        """
        self._require_ours()
        paths = (self.places.state / name for name in OURS if logs or name != "logs")
        present = [path for path in paths if os.path.lexists(path)]
        for path in present:
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink()
        return bool(present)


def _programs(slurm: str, say: Callable[[str], None]) -> Path | None:
    """The folder of the programs of a version of Slurm, fetched where it is missing; None for this machine's own."""
    wanted = slurm or os.environ.get("WORKSHOP_SLURM", "")
    if not wanted or (machine.find_program("slurmd") and wanted == version_name(machine.slurm_version())):
        return None
    if versions.installed(wanted) is None:
        say(f"Fetching Slurm {wanted} (once; about 30 MB) ...")
    return versions.install(wanted)


def version_name(version: tuple[int, int]) -> str:
    """Slurm's major version as people write it: ``(24, 5)`` is 24.05."""
    return f"{version[0]}.{version[1]:02}"


def _room_for_accounting(places: Places) -> bool:
    """Whether MariaDB and slurmdbd are installed and have the memory that they need."""
    return not machine.missing_accounting(places.programs) and machine.available_memory() >= LEAST_MEMORY_ACCOUNTING


def names_resolve() -> bool:
    """Whether the node names mean this machine: in the namespace, or because its own hosts file says so."""
    try:
        return all(socket.gethostbyname(name).startswith("127.") for name in NODES)
    except OSError:
        return False


def _bad_state(state: Path, why: str) -> ClusterError:
    return ClusterError(
        f"The state folder {state} cannot be used: {why}.",
        "Choose another one: export WORKSHOP_CLUSTER_DIR=$HOME/practice-cluster",
    )


def _not_marked(state: Path, names: set[str]) -> ClusterError:
    """The error for a folder that holds files which no practice cluster wrote, or one of an earlier version."""
    old = names <= set(OURS) and ("settings.json" in names or names == {"logs"})
    mend = "Choose a new or an empty one: export WORKSHOP_CLUSTER_DIR=$HOME/practice-cluster"
    if old:
        touch = f"touch {shlex.quote(str(state / MARKER))} && workshop cluster down"
        mend += (
            "\nOr, where an earlier version of this program made it, look that etc, var, bin and logs in it hold "
            f"nothing of yours, and then: {touch}"
        )
    return ClusterError(
        f"The state folder {state} is not a practice cluster's: it holds {sorted(names)[0]}, but no {MARKER}, which "
        "'workshop cluster up' writes before all else. Nothing in it was changed.",
        mend,
    )


def _checked_ports(first: int) -> int:
    for port in range(first, first + len(NODES) + 2):
        if not machine.port_is_free(port):
            raise ClusterError(
                f"Port {port} is taken by {machine.port_holder(port)}; the cluster needs {first} to "
                f"{first + len(NODES) + 1}.",
                "Stop that program, or leave --first-port out: free ports are found by themselves.",
            )
    return first
