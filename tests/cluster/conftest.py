"""What the tests of the practice cluster share: people who run it, and one cluster that most tests use."""

import os
import pwd
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import click
import pytest

from workshop.cluster import Cluster, machine

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"
ROOT = os.geteuid() == 0


def patient(seconds: float) -> float:
    """A promise in seconds for a quiet machine, stretched where other programs keep this one busy."""
    load = os.getloadavg()[0] / (os.cpu_count() or 1)
    return seconds * max(1.0, 3 * load)


def wait_for(condition: Callable[[], object], seconds: float, pause: float = 0.2) -> None:
    """Wait until a condition holds; fail the test where it does not."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"did not come true within {seconds:.0f} s"
        time.sleep(pause)


def _ordinary_user() -> str:
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

    def run(self, argv: list[str], *, within: list[str] = (), timeout: float = 120, **env: str):
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


@pytest.fixture
def make_person() -> Iterator[Callable[..., Person]]:
    """Make people; their clusters are stopped and their homes removed at the end."""
    people: list[Person] = []

    def make(name: str = "home", *, ordinary: bool = True, scripts: Path = SCRIPTS) -> Person:
        folder = Path(tempfile.mkdtemp(prefix="hpcw-", dir="/tmp"))
        folder.chmod(0o755)
        home = folder / name
        home.mkdir()
        user = _ordinary_user() if ROOT and ordinary else None
        if user is not None:
            shutil.chown(home, user)
        # The tests' own libraries may lie where others may not look: click is all that the command needs.
        libraries = folder / "libraries"
        shutil.copytree(Path(click.__file__).parent, libraries / "click")
        people.append(Person(home, user, scripts, libraries))
        return people[-1]

    yield make
    for person in people:
        person.workshop("down")
        shutil.rmtree(person.home.parent)


@pytest.fixture
def ordinary(require, make_person) -> Person:
    """An ordinary user without a cluster."""
    require("slurm")
    return make_person()


@pytest.fixture(scope="session")
def cluster(require) -> Iterator[Cluster]:
    """One cluster for all tests that only use it, with accounting; in a folder with a space in its name."""
    require("slurm")
    require("accounting")
    folder = Path(tempfile.mkdtemp(prefix="hpcw-", dir="/tmp"))
    shared = Cluster(folder / "a shared cluster")
    shared.up(wait_accounting=True)
    yield shared
    shared.down()
    shutil.rmtree(folder)


@pytest.fixture(scope="session")
def overtime_job(cluster, tmp_path_factory) -> str:
    """A job that runs into its limit of one minute, Slurm's shortest, while other tests run."""
    folder = tmp_path_factory.mktemp("overtime")
    script = folder / "overtime.sbatch"
    # One shell that notes the signals: the warning asked for 30 s before, then the end.
    script.write_text(
        "#!/bin/bash\ntrap 'echo warned' USR1\ntrap 'echo terminated; exit 0' TERM\nwhile :; do sleep 1; done\n",
        encoding="utf-8",
    )
    options = ["--parsable", "--time=1", "--signal=B:USR1@30", f"--output={folder}/log.out"]
    result = cluster.run(["sbatch", *options, str(script)], capture_output=True, text=True, check=True)
    return result.stdout.strip()


@pytest.fixture
def work(cluster, tmp_path) -> Path:
    """A folder to submit jobs from."""
    return tmp_path


@pytest.fixture
def submit(cluster, work):
    """``submit("--ntasks=2", script="...")`` submits a job and returns its id."""

    def submit_one(*options: str, script: str, **env: str) -> str:
        path = work / "job.sbatch"
        path.write_text("#!/bin/bash\n" + script + "\n", encoding="utf-8")
        result = cluster.run(
            ["sbatch", "--parsable", "--output=%x-%j.out", *options, str(path)],
            cwd=work,
            env=env,
            capture_output=True,
            text=True,
        )
        assert result.returncode == 0, result.stderr
        return result.stdout.strip()

    return submit_one


@pytest.fixture
def job(cluster):
    """``job(id)`` is what ``scontrol show job`` knows, as a dict."""

    def look(number: str) -> dict[str, str]:
        result = cluster.run(["scontrol", "--oneliner", "show", "job", number], capture_output=True, text=True)
        assert result.returncode == 0, result.stderr
        words = result.stdout.splitlines()[0].split()
        return dict(word.split("=", 1) for word in words if "=" in word)

    return look


@pytest.fixture
def finished(job):
    """``finished(id)`` waits for the end of a job and returns what is known of it."""
    over = {"COMPLETED", "FAILED", "TIMEOUT", "CANCELLED", "NODE_FAIL", "OUT_OF_MEMORY", "DEADLINE"}

    def wait(number: str, seconds: float = 60) -> dict[str, str]:
        wait_for(lambda: job(number)["JobState"] in over, seconds)
        return job(number)

    return wait


def processes_of(person: Person) -> list[machine.Process]:
    """Processes of this person's user that have the state folder in their command line."""
    uid = os.geteuid() if person.user is None else pwd.getpwnam(person.user).pw_uid
    found = []
    for pid in map(int, filter(str.isdigit, os.listdir("/proc"))):
        process = machine._read_process(pid, uid)
        if process and any(str(person.home) in word for word in process.argv):
            found.append(process)
    return found


@pytest.fixture
def listener() -> Iterator[Callable[[int], None]]:
    """``listener(port)`` takes a port, as another program would."""
    taken: list[socket.socket] = []

    def take(port: int) -> None:
        taken.append(socket.create_server(("", port)))

    yield take
    for one in taken:
        one.close()
