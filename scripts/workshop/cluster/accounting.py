"""Accounting for the practice cluster: a MariaDB of one's own, slurmdbd, accounts and QOS.

It is set up in the background, by set_up_accounting.py, while the first jobs can already run.
"""

import os
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

from workshop.cluster import daemons, machine
from workshop.cluster.config import ACCOUNTS, Places, Settings, program, slurm_conf, write_all
from workshop.cluster.errors import ClusterError

# Seconds that each step may take on a slow, busy machine.
PATIENCE = 120
READY = "ready"
# A QOS for short jobs with limits that bite: sbatch refuses a longer job, and a third job of a user waits.
SHORT_QOS = ("Priority=100", "MaxWall=00:30:00", "MaxJobsPerUser=2", "MaxTRESPerUser=cpu=8", "Flags=DenyOnLimit")


def state_file(places: Places) -> Path:
    """Holds "ready" once accounting works, or why it does not; absent while it is being set up."""
    return places.var / "accounting"


def read_state(places: Places) -> str:
    """ "ready", the reason of a failure, or "" while it is being set up."""
    path = state_file(places)
    return path.read_text(encoding="utf-8").strip() if path.exists() else ""


def write_state(places: Places, text: str) -> None:
    """Note how the set-up went, unless the cluster was stopped and removed meanwhile."""
    if places.var.is_dir():
        state_file(places).write_text(text + "\n", encoding="utf-8")


def helper_mark(places: Places) -> tuple[str, ...]:
    """The arguments by which the background helper is found among the processes."""
    return ("workshop.cluster.set_up_accounting", str(places.state.resolve()))


def find_helper(places: Places) -> machine.Process | None:
    """The background helper, if it runs."""
    marks = helper_mark(places)
    return next((p for p in machine.own_processes() if all(mark in p.argv for mark in marks)), None)


def start_helper(places: Places) -> None:
    """Set up accounting in the background."""
    state_file(places).unlink(missing_ok=True)
    scripts = Path(__file__).resolve().parents[2]
    search = os.pathsep.join(filter(None, (str(scripts), os.environ.get("PYTHONPATH"))))
    with (places.logs / "accounting.log").open("ab") as log:
        subprocess.run(
            ["setsid", "--fork", sys.executable, "-m", *helper_mark(places)],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            cwd=places.var,
            env=daemons.clean_environment(places) | {"PYTHONPATH": search},
            check=True,
        )


def _tool(places: Places, *argv: str, conf: Path | None = None) -> str:
    """Run a command of the accounting set-up, with another slurm.conf if given, and return what it printed.

    Raises:
        ClusterError: the command failed; with what it said.
    """
    result = subprocess.run(
        [program(argv[0], places), *argv[1:]],
        env=daemons.clean_environment(places) | {"SLURM_CONF": str(conf or places.conf)},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    if result.returncode != 0:
        said = (result.stderr + result.stdout).strip()
        print(f"{' '.join(argv)} failed:\n{said}", file=sys.stderr)  # to accounting.log
        raise ClusterError(
            f"'{argv[0]}' failed: {textwrap.shorten(said, 200)}",
            "Start afresh with: workshop cluster down && workshop cluster up",
        )
    return result.stdout


def install_database(places: Places, settings: Settings) -> None:
    """Make an empty MariaDB data folder, unless a complete one is there."""
    folder, complete = places.var / "database", places.var / "database.complete"
    if complete.exists():
        return
    shutil.rmtree(folder, ignore_errors=True)  # of a set-up that was killed halfway
    # MariaDB runs as root only when told to. --rpm, as the packages of other distributions say it, keeps the tool from
    # changing the owner of the machine's own MariaDB plugins, as it does otherwise with --user.
    as_user = ("--user=root", "--rpm") if settings.user == "root" else ()
    argv = (
        "mariadb-install-db",
        f"--defaults-file={places.etc}/database.cnf",
        "--auth-root-authentication-method=socket",
        f"--auth-root-socket-user={settings.user}",
        "--skip-test-db",
        "--force",  # also where this machine's name does not resolve
        *as_user,
    )
    try:
        _tool(places, *argv)
    except ClusterError as error:
        # The tool's own words only point to MariaDB's log.
        said = daemons.last_lines(places.logs / "mariadbd.log", 8)
        raise ClusterError(f"mariadb-install-db failed. The end of MariaDB's log:\n{said}", error.mend) from error
    complete.touch()


def start_database(places: Places, settings: Settings) -> None:
    """Start those of mariadbd and slurmdbd that do not run, and wait until they answer.

    Raises:
        ClusterError: one of them does not stay up.
    """
    mariadbd, slurmdbd = daemons.database_daemons(places, settings)
    ready = {
        mariadbd.name: lambda: daemons.answers(places.database_socket),
        slurmdbd.name: lambda: not machine.port_is_free(settings.dbd_port),
    }
    for daemon in (mariadbd, slurmdbd):
        if daemons.find([daemon])[daemon.name] is None:
            daemons.check_port(daemon)
            share_with = daemons.namespace_of(daemons.core_daemons(places, settings))
            daemons.start(daemon, places, share_with)
        daemons.wait_ready(daemon, ready[daemon.name], places, PATIENCE)


def fill_database(places: Places, settings: Settings) -> None:
    """Tell the database about the cluster, its accounts, its user and its QOS; what is there already stays."""
    # slurm.conf itself must not mention the database before the database can answer slurmctld's first questions.
    conf = places.etc / "with-accounting.conf"
    conf.write_text(slurm_conf(places, settings, accounting=True), encoding="utf-8")

    def sacctmgr(*words: str) -> str:
        return _tool(places, "sacctmgr", "--immediate", "--quiet", *words, conf=conf)

    if not sacctmgr("--noheader", "list", "cluster").strip():
        sacctmgr("add", "cluster", "practice")
    if "short" not in sacctmgr("--noheader", "list", "qos", "format=name").split():
        sacctmgr("add", "qos", "short", *SHORT_QOS)
    known = sacctmgr("--noheader", "list", "account", "format=account%30").split()
    for account in ACCOUNTS:
        if account not in known:
            sacctmgr(
                "add",
                "account",
                account,
                f"Description={account}",
                "Organization=workshop",
                "QOS=normal,short",
                "DefaultQOS=normal",
                "Fairshare=10",
            )
    if not sacctmgr("--noheader", "list", "associations", f"user={settings.user}", f"account={ACCOUNTS[-1]}").strip():
        names = ",".join(ACCOUNTS)
        sacctmgr("add", "user", settings.user, f"Account={names}", f"DefaultAccount={ACCOUNTS[0]}")
    conf.unlink()


def set_up(places: Places, settings: Settings) -> None:
    """Everything, from an empty folder to limits that count."""
    install_database(places, settings)
    start_database(places, settings)
    fill_database(places, settings)
    with daemons.lock(places):
        write_all(places, settings, accounting=True)
        restart_slurmctld(places, settings)
    wait_registered(places)


def wait_registered(places: Places) -> None:
    """Wait until slurmdbd knows slurmctld: what ends before that is recorded without its name.

    Raises:
        ClusterError: they do not find each other.
    """
    argv = ("sacctmgr", "--noheader", "--parsable2", "list", "cluster", "format=controlport")
    if not daemons.wait_until(lambda: _tool(places, *argv).strip() not in ("", "0"), PATIENCE, pause=0.2):
        raise ClusterError(
            f"slurmctld has not registered with slurmdbd within {PATIENCE} s. See {places.logs}/slurmdbd.log.",
            "Try again with: workshop cluster up --wait-accounting",
        )


def restart_slurmctld(places: Places, settings: Settings) -> None:
    """Let slurmctld read its files anew; jobs go on, and what waits for slurmctld waits a second longer."""
    slurm = daemons.core_daemons(places, settings)[1:]
    slurmctld = slurm[0]
    running = daemons.find([slurmctld])[slurmctld.name]
    if running is not None:
        # Its SIGTERM saves the state of all jobs first.
        daemons.stop([running], patience=30)
    # The number of the cluster, which slurmctld chose by itself and the database by itself. Newer versions (24.11) do
    # not start where the two differ; without the file slurmctld takes the database's.
    (places.var / "slurmctld" / "clustername").unlink(missing_ok=True)
    daemons.check_port(slurmctld)
    daemons.start(slurmctld, places, daemons.namespace_of(slurm))
    daemons.wait_ready(slurmctld, lambda: not machine.port_is_free(slurmctld.port), places)
    daemons.wait_nodes(places)
