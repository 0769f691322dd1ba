"""What the tests of the practice cluster share: people who run it, and one cluster that most tests use."""

import shutil
import socket
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import click
import pytest
from people import ROOT, SCRIPTS, Person, ask, ordinary_user, wait_for


@pytest.fixture
def make_person() -> Iterator[Callable[..., Person]]:
    """Make people; their clusters are stopped and their homes removed at the end."""
    people: list[Person] = []

    def make(name: str = "home", *, ordinary: bool = True, scripts: Path = SCRIPTS) -> Person:
        folder = Path(tempfile.mkdtemp(prefix="hpcw-", dir="/tmp"))
        folder.chmod(0o755)
        home = folder / name
        home.mkdir()
        user = ordinary_user() if ROOT and ordinary else None
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


@pytest.fixture(autouse=True)
def _leave_no_jobs(request) -> Iterator[None]:
    """What a test leaves in the queue of the shared cluster is cancelled: tests of other folders use it, too."""
    cluster = request.getfixturevalue("cluster") if "cluster" in request.fixturenames else None
    yield
    if cluster is not None and ask(cluster, "squeue", "--me", "--noheader").stdout:
        ask(cluster, "scancel", "--me")
        wait_for(lambda: not ask(cluster, "squeue", "--me", "--noheader").stdout)


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
        result = ask(cluster, "scontrol", "--oneliner", "show", "job", number)
        assert result.returncode == 0, result.stderr
        words = result.stdout.splitlines()[0].split()
        return dict(word.split("=", 1) for word in words if "=" in word)

    return look


@pytest.fixture
def finished(job):
    """``finished(id)`` waits for the end of a job and returns what is known of it."""
    over = {"COMPLETED", "FAILED", "TIMEOUT", "CANCELLED", "NODE_FAIL", "OUT_OF_MEMORY", "DEADLINE"}

    def wait(number: str, pause: float = 0.2) -> dict[str, str]:
        wait_for(lambda: job(number)["JobState"] in over, pause=pause)
        return job(number)

    return wait


@pytest.fixture
def listener() -> Iterator[Callable[[int], int]]:
    """``listener(port)`` takes a port, as another program would; ``listener(0)`` takes a free one, and returns it."""
    taken: list[socket.socket] = []

    def take(port: int) -> int:
        taken.append(socket.create_server(("", port)))
        return taken[-1].getsockname()[1]

    yield take
    for one in taken:
        one.close()
