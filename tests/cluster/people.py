"""People who run the practice cluster, and waiting for what they started."""

import contextlib
import os
import pwd
import secrets
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import click

from workshop.cluster import Cluster, machine

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"
ROOT = os.geteuid() == 0


# Seconds after which what was waited for will not come any more, on the busiest machine.
PATIENCE_S = 150


def wait_for(condition: Callable[[], object], seconds: float = PATIENCE_S, pause: float = 0.2) -> None:
    """Wait until a condition holds; fail the test where it does not."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"did not come true within {seconds:.0f} s"
        time.sleep(pause)


def ask(cluster: Cluster, *argv: str) -> subprocess.CompletedProcess:
    """Run one of Slurm's commands that need no node names: cheaper than on the login node, for asking often."""
    return subprocess.run(argv, env=cluster.environment(), capture_output=True, text=True)


def ordinary_user() -> str:
    """A user who is not root: the first real one of this machine, else one that every Linux has."""
    people = [entry.pw_name for entry in pwd.getpwall() if 1000 <= entry.pw_uid < 60000]
    return people[0] if people else "daemon"


@dataclass(frozen=True)
class Person:
    """Somebody who types ``workshop cluster …``, with a home folder of their own."""

    home: Path
    user: str | None = None  # None: whoever runs the tests
    scripts: Path = SCRIPTS
    libraries: Path = Path(click.__file__).parents[1]

    @property
    def state(self) -> Path:
        return self.home / ".local" / "state" / "workshop" / "cluster"

    @property
    def environment(self) -> dict[str, str]:
        hidden = ("SLURM", "SBATCH", "WORKSHOP", "XDG_")
        kept = {name: value for name, value in os.environ.items() if not name.startswith(hidden)}
        # Another user cannot look into the folders of whoever runs the tests; and no sbin, as is usual.
        path = kept["PATH"] if self.user is None else "/usr/local/bin:/usr/bin:/bin"
        return kept | {
            "PATH": path,
            "HOME": str(self.home),
            "PYTHONPATH": f"{self.scripts}{os.pathsep}{self.libraries}",
            "PYTHONDONTWRITEBYTECODE": "1",
        }

    def argv(self, argv: list[str]) -> list[str]:
        """The command line that runs ``argv`` as this person."""
        if self.user is None:
            return argv
        # runuser sets HOME to what /etc/passwd says.
        return [machine.find_program("runuser"), "-u", self.user, "--", "env", f"HOME={self.home}", *argv]

    def python(self) -> str:
        """A Python that this person may run: the tests' own may lie in root's home."""
        if self.user is None:
            return sys.executable
        tried = subprocess.run([*self.argv([sys.executable]), "-c", ""], capture_output=True, check=False)
        return sys.executable if tried.returncode == 0 else "/usr/bin/python3"

    def run(self, argv: list[str], *, within: list[str] = (), timeout: float = 240, **env: str):
        """Run a program as this person; ``within`` is a wrapper that goes in front."""
        return subprocess.run(
            [*within, *self.argv(argv)],
            env=self.environment | env,
            cwd=self.home,
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
        )

    def workshop(self, *words: str, **options) -> subprocess.CompletedProcess:
        """``workshop cluster WORDS``."""
        return self.run([self.python(), "-m", "workshop", "cluster", *words], **options)


def processes_of(person: Person) -> list[machine.Process]:
    """Processes of this person's user that have the state folder in their command line."""
    uid = os.geteuid() if person.user is None else pwd.getpwnam(person.user).pw_uid
    found = []
    for pid in map(int, filter(str.isdigit, os.listdir("/proc"))):
        process = machine._read_process(pid, uid)
        if process and any(str(person.home) in word for word in process.argv):
            found.append(process)
    return found


def told_apart(seconds: int) -> str:
    """So many seconds, with a fraction that no other test's sleep has: see ``sleepers``."""
    return f"{seconds}.{secrets.randbelow(10**9):09}"


def sleepers(seconds: str) -> list[int]:
    """Process ids of those who sleep so long, whoever they are."""
    found = []
    for pid in map(int, filter(str.isdigit, os.listdir("/proc"))):
        with contextlib.suppress(OSError):  # it has just ended
            if Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")[:2] == [b"sleep", os.fsencode(seconds)]:
                found.append(pid)
    return found


def left(person: Person) -> list[str]:
    """What lies in this person's state folder."""
    return sorted(os.listdir(person.state))


def changed(person: Person, change: str, *words: str, drop: bool = False, **options) -> subprocess.CompletedProcess:
    """``workshop cluster WORDS`` where the shell commands ``change`` were run before, seen by nobody else."""
    # Where the situation must also bind the command itself, it loses the capabilities that `change` needed.
    become = "setpriv --inh-caps=-all --ambient-caps=-all --" if drop else ""
    wrapper = ["unshare", "--user", "--map-current-user", "--keep-caps", "--mount", "bash", "-ec"]
    argv = [*wrapper, f'{change}\nexec {become} "$@"', "bash"]
    return person.run([*argv, person.python(), "-m", "workshop", "cluster", *words], **options)
