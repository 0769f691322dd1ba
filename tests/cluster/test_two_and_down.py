"""Two people at once on one machine; spaces everywhere; and nothing left after down."""

import dataclasses
import json
import resource
import shutil
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from machine_parts import missing_programs
from people import SCRIPTS, left, processes_of, sleepers, told_apart, wait_for

from workshop.cluster import machine
from workshop.cluster.config import MARKER

pytestmark = pytest.mark.needs_slurm


def ports(person) -> range:
    first = json.loads((person.state / "settings.json").read_text())["first_port"]
    return range(first, first + 6)


@pytest.mark.slow
def test_two_people_at_once_and_nothing_left(require, make_person):
    require("slurm")
    # Where root runs the tests: root and an ordinary user; elsewhere the same user with two folders.
    people = [make_person(ordinary=False), make_person(ordinary=True)]
    # When accounting becomes ready, slurmctld starts anew, and a job that is submitted just then may be refused.
    up = ["up"] if missing_programs("accounting") else ["up", "--wait-accounting"]
    with ThreadPoolExecutor() as pool:
        results = list(pool.map(lambda person: person.workshop(*up), people))
    assert [result.returncode for result in results] == [0, 0], results
    assert not set(ports(people[0])) & set(ports(people[1]))
    for index, person in enumerate(people):
        name = f"of-person-{index}"
        argv = ["sbatch", "--wait", f"--job-name={name}", "--output=/dev/null", "--wrap=hostname"]
        assert person.workshop("shell", "--", *argv).returncode == 0
    for index, person in enumerate(people):
        known = person.workshop("shell", "scontrol", "show", "jobs").stdout
        assert f"JobName=of-person-{index}" in known
        assert f"JobName=of-person-{1 - index}" not in known
    all_ports = [port for person in people for port in ports(person)]
    listening = sockets(all_ports)
    assert len(listening) >= 10, "five daemons of each"
    check_down(people[0])
    # The other one's goes on.
    status = people[1].workshop("status")
    assert status.returncode == 0, status.stdout
    check_down(people[1])
    assert not sockets(all_ports) & listening, "other tests' clusters may have these ports by now"


def sockets(ports: list[int]) -> set[str]:
    """The sockets that listen on these ports, by their inodes."""
    return {inode for port in ports for inode in machine._socket_inodes(port)}


def check_down(person) -> None:
    """Stop a cluster in whose jobs processes try to stay, and look for anything left."""
    runtime = next(line.split()[-1] for line in person.workshop("status").stdout.splitlines() if "sockets:" in line)
    nap = told_apart(987)
    stubborn = (
        f"setsid -f sleep {nap}; (sleep {nap} &); env -i setsid -f sleep {nap}; "
        "trap '' TERM; touch ready; while :; do sleep 1; done"
    )
    argv = ["sbatch", "--output=/dev/null", f"--chdir={person.home}", f"--wrap={stubborn}"]
    assert person.workshop("shell", "--", *argv).returncode == 0
    wait_for((person.home / "ready").exists)
    wait_for(lambda: len(sleepers(nap)) == 3)
    assert processes_of(person)
    result = person.workshop("down")
    assert result.returncode == 0, result.stderr
    assert "is down" in result.stdout
    assert processes_of(person) == []
    assert sleepers(nap) == []
    assert left(person) == [MARKER, "logs"]
    assert person.run(["test", "-e", runtime]).returncode == 1
    assert person.workshop("down").stdout.startswith("There was no practice cluster")
    assert person.workshop("status").returncode == 3


def test_spaces_in_home_and_repository(require, make_person):
    require("slurm")
    person = make_person("my home")
    # A copy of the package in a checkout whose path has a space, readable by the person.
    scripts = person.home.parent / "my checkout" / "scripts"
    shutil.copytree(SCRIPTS / "workshop", scripts / "workshop", ignore=shutil.ignore_patterns("__pycache__"))
    person = dataclasses.replace(person, scripts=scripts)
    result = person.workshop("up", "--no-accounting")
    assert result.returncode == 0, result.stderr
    assert "Slurm cannot handle the folder's name" in result.stdout
    # A job script in a folder with a space, and the way through eval.
    job = person.home / "my job.sbatch"
    job.write_text('#!/bin/bash\n#SBATCH --output=log-%j.out\n\nsrun echo from "$PWD"\n', encoding="utf-8")
    python = person.python()
    line = f'eval "$({python} -m workshop cluster env)" && sbatch --wait "my job.sbatch"'
    result = person.run(["bash", "-c", line])
    assert result.returncode == 0, result.stderr
    (log,) = person.home.glob("log-*.out")
    assert log.read_text() == f"from {person.home}\n"
    assert person.workshop("status").returncode == 0
    assert person.workshop("down").returncode == 0
    assert processes_of(person) == []


@pytest.mark.extensive
def test_up_is_fast(ordinary):
    """Five seconds on a quiet machine."""
    begin = time.monotonic()
    assert ordinary.workshop("up").returncode == 0
    assert time.monotonic() - begin <= 5


def test_up_computes_little_and_a_second_one_starts_nothing(ordinary):
    """By CPU time, since a busy machine says nothing about speed; the daemons' own is not in it."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    result = ordinary.workshop("up")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert result.returncode == 0, result.stderr
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime <= 5
    again = ordinary.workshop("up")
    assert again.returncode == 0
    assert again.stdout.startswith("The practice cluster is up already.")
    # Down while accounting is still being set up in the background.
    assert ordinary.workshop("down").returncode == 0
    assert processes_of(ordinary) == []
