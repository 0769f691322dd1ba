"""``workshop cluster up|status|shell|env|down``."""

import contextlib
import os
import shlex
import signal
import sys
import time
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import click

from workshop import modules
from workshop.cluster import accounting, daemons, machine, versions
from workshop.cluster.cluster import LEAST_MEMORY_ACCOUNTING, Cluster, Status, version_name
from workshop.cluster.config import LOGIN, NODES, Places, Settings
from workshop.cluster.errors import ClusterError

# Exit status of `status`, as for an init script (Linux Standard Base 3.1): 0 runs, 1 in part, 3 not running.
RUNS, IN_PART, NOT_RUNNING = 0, 1, 3


def plain_errors(function: Callable[..., Any]) -> Callable[..., Any]:
    """Print a ClusterError as two plain paragraphs, without a traceback, and end with status 1."""

    @wraps(function)
    def wrapper(*args: Any, **options: Any) -> Any:
        try:
            return function(*args, **options)
        except ClusterError as error:
            click.echo(f"Error: {error.problem}", err=True)
            click.echo(f"What to do: {error.mend}", err=True)
            sys.exit(1)

    return wrapper


@click.group()
def command() -> None:
    """A practice cluster: real Slurm on this machine, without root.

    Two CPU nodes (cpu1, cpu2) and two GPU nodes (gpu1, gpu2 with four v100 each, which Slurm hands out although no
    device is behind them). It lives in one folder: $WORKSHOP_CLUSTER_DIR, by default ~/.local/state/workshop/cluster.
    """


@command.command()
@click.option("--wait-accounting", is_flag=True, help="Wait until sacct and sacctmgr work, too.")
@click.option("--no-accounting", is_flag=True, help="Do not start MariaDB and slurmdbd.")
@click.option("--first-port", type=click.IntRange(1024, 65000), help="First of six TCP ports [default: free ones].")
@click.option(
    "--slurm",
    default="",
    metavar="VERSION",
    help=f"Another Slurm than this machine's, from Debian's packages: {', '.join(versions.SUITES)} "
    "[default: $WORKSHOP_SLURM].",
)
@plain_errors
def up(wait_accounting: bool, no_accounting: bool, first_port: int | None, slurm: str) -> None:
    """Start the cluster, or what is missing of it."""
    cluster = Cluster()
    begin = time.monotonic()
    was_healthy = cluster.status().healthy
    status = cluster.up(want_accounting=not no_accounting, first_port=first_port, slurm=slurm, say=click.echo)
    if was_healthy:
        click.echo("The practice cluster is up already.")
    else:
        click.echo(f"The practice cluster is up after {time.monotonic() - begin:.1f} s.")
    click.echo(describe(cluster.places, status))
    click.echo(HOW_TO_USE)
    if wait_accounting:
        cluster.wait_accounting() if no_accounting else cluster.start_accounting()
        click.echo(f"Accounting is ready after {time.monotonic() - begin:.1f} s.")


HOW_TO_USE = """
Use it from a shell of its own, in which the names of the nodes resolve:
  workshop cluster shell
or point this shell at it:
  eval "$(workshop cluster env)"
Then try: sinfo
Stop it with: workshop cluster down"""


def describe(places: Places, status: Status) -> str:
    """The lines about a running cluster that `up` and `status` share."""
    settings = status.settings
    lines = [
        f"  slurm:      {version_name(settings.slurm)}",
        f"  nodes:      {', '.join(f'{name} {state}' for name, state in status.nodes.items()) or 'no answer'}",
        f"  accounting: {_accounting_line(places, status)}",
        f"  folder:     {places.state} (logs in its folder logs)",
        f"  sockets:    {places.runtime}",
        f"  ports:      {_ports_line(settings)}",
    ]
    return "\n".join(lines + _notes(places, settings))


def _accounting_line(places: Places, status: Status) -> str:
    if status.accounting == "starting":
        return "starting in the background (sacct and sacctmgr work in some seconds)"
    if status.accounting == accounting.READY:
        return "ready (sacct, sacctmgr; accounts course and def-student; QOS normal and short)"
    if status.accounting != "off":
        return f"does not work: {status.accounting} See {places.logs}/accounting.log."
    missing = machine.missing_accounting(places.programs)
    if missing:
        return f"off, no {', '.join(missing)} here. {machine.install_command(accounting=True)}"
    return f"off (switched off, or less than {LEAST_MEMORY_ACCOUNTING} MiB of memory free)"


def _ports_line(settings: Settings) -> str:
    last = max(settings.ports.values())
    if not settings.address:
        return f"{settings.first_port} to {last}, OPEN TO OTHER MACHINES (see the note)"
    return f"{settings.first_port} to {last}, for this machine only (but srun and salloc, while they run, for all)"


def _notes(places: Places, settings: Settings) -> list[str]:
    """What the reader must know about this machine."""
    notes = []
    if places.linked:
        notes.append(
            f"Slurm cannot handle the folder's name (a space or a special character), so its files\n"
            f"name it by the link {places.root}."
        )
    if settings.names == "none":
        notes.append(
            "The nodes' names do NOT resolve: this machine forbids user namespaces. Jobs run all the same, but a\n"
            "program that looks up a node's name, such as MASTER_ADDR for two-node training, fails with\n"
            f"'Name or service not known', and hostname prints {settings.hostname} on every node. To mend it, "
            "one of:\n" + _names_mend()
        )
    if not settings.address:
        notes.append(
            f"Slurm listens on all addresses of this machine, since its name {settings.hostname} does not mean one of\n"
            "its own (127.0.1.1). Nobody gives orders there without the cluster's key, which only you can read; to\n"
            f"close it, let an administrator add this line to /etc/hosts: 127.0.1.1 {settings.hostname}\n"
            "and then: workshop cluster down && workshop cluster up"
        )
    if Path("/etc/slurm/slurm.conf").exists():
        notes.append(
            "This machine has a Slurm of its own (/etc/slurm/slurm.conf). The practice cluster leaves it alone;\n"
            "without 'workshop cluster shell' or 'env' your commands go to that one."
        )
    return [f"Note: {note}" for note in notes]


def _names_mend() -> str:
    mends = [
        f"  - let an administrator add this line to /etc/hosts: 127.0.0.1 {' '.join(NODES)}",
        "  - in a container: start it with --cap-add SYS_ADMIN, or with --add-host cpu1:127.0.0.1 and so on",
    ]
    apparmor = Path("/proc/sys/kernel/apparmor_restrict_unprivileged_userns")
    if apparmor.exists() and apparmor.read_text(encoding="ascii").strip() == "1":
        mends.insert(0, "  - sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0  (Ubuntu 23.10 and later)")
    return "\n".join([*mends, "and then: workshop cluster down && workshop cluster up"])


@command.command()
@plain_errors
def status() -> None:
    """Say what runs and what does not. Exit status 0: all of it, 1: a part, 3: nothing."""
    cluster = Cluster()
    now = cluster.status()
    if not now.started:
        click.echo(f"No practice cluster is up in {cluster.places.state}. Start one with: workshop cluster up")
        sys.exit(NOT_RUNNING)
    for name, process in now.daemons.items():
        click.echo(f"{name:12} {f'runs, process {process.pid}' if process else 'DOES NOT RUN'}")
    click.echo(describe(cluster.places, now))
    if now.healthy:
        click.echo("All daemons run.")
        return
    if not now.running:
        click.echo("Nothing of it runs (this machine was restarted, or everything was killed).")
    elif now.missing:
        click.echo(f"Down: {', '.join(now.missing)}.")
    else:
        click.echo("All daemons run, but not everything works yet.")
    click.echo("Repair it with: workshop cluster up    (finished jobs stay known)")
    sys.exit(IN_PART if now.running else NOT_RUNNING)


@command.command()
@plain_errors
def env() -> None:
    """Print what points a shell at the cluster: eval "$(workshop cluster env)"."""
    cluster = Cluster()
    cluster.command([])  # says what to do where no cluster is up
    others = {name for name in os.environ if name.startswith(daemons.SLURM_PREFIXES)} - set(cluster.env())
    for line in modules.unset_lines(others):
        click.echo(line)
    # fish could not read them: its `eval` would take none of the lines.
    for line in [] if os.path.basename(os.environ.get("SHELL", "")) == "fish" else modules.shell_lines():
        click.echo(line)
    for name, value in cluster.env().items():
        click.echo(f"export {name}={shlex.quote(value)}")


@command.command(context_settings={"ignore_unknown_options": True})
@click.argument("argv", nargs=-1, type=click.UNPROCESSED, metavar="[COMMAND [ARGUMENT]...]")
@plain_errors
def shell(argv: tuple[str, ...]) -> None:
    """Open a shell on the cluster's login node, or run one COMMAND there."""
    cluster = Cluster()
    words = list(argv) or _interactive_shell(cluster.places)
    line = cluster.command(words)
    if not argv:
        click.echo(f"A shell on the practice cluster's node {LOGIN}; leave it with: exit", err=True)
    environment = cluster.environment()
    sys.stdout.flush()
    # Python ignores it, and what it starts would, too: `tar --list … | head` would print a write error.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    try:
        os.execvpe(line[0], line, environment)
    except OSError as error:
        raise ClusterError(f"{line[0]} cannot be started: {error.strerror}.", "Check the command's name.") from None


def _interactive_shell(places: Places) -> list[str]:
    """The user's shell; bash with a prompt that tells it from others."""
    program = os.environ.get("SHELL") or "/bin/bash"
    if os.path.basename(program) != "bash":
        return [program]
    start = places.etc / "bashrc"
    with contextlib.suppress(OSError):  # an older one does as well
        # An interactive bash does not read BASH_ENV: the last line gives it `module`, where Lmod is installed.
        lines = ["[ -r ~/.bashrc ] && . ~/.bashrc", 'PS1="(practice) $PS1"', *modules.shell_lines()]
        start.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return [program, "--rcfile", str(start), "-i"]


@command.command()
@plain_errors
def down() -> None:
    """Stop the cluster and its jobs, and remove its files except the logs."""
    cluster = Cluster()
    if cluster.down():
        click.echo(f"The practice cluster is down. Its logs stay in {cluster.places.state}/logs.")
    else:
        click.echo(f"There was no practice cluster in {cluster.places.state}.")
