"""Console sessions: each runs as expected, and what pages show of it fits what is expected."""

import contextlib
import os
import re
import shutil
import signal
import subprocess
import tempfile
from importlib import metadata

import pytest
import reader

from workshop.book import sessions
from workshop.book.toc import pages
from workshop.paths import REPO

SESSIONS = sessions.all_sessions()
# Those that no test types from what their page shows.
NOT_TYPED = [one for one in SESSIONS if one.stem in reader.listed()]
# Seconds that a session may take: more than one wait of waits.bash, less than pytest's limit for a test.
PATIENCE = 280
# Part of the machine -> the sessions that needed it and ran as expected.
RAN: dict[str, list[str]] = {}


@pytest.fixture(scope="module")
def practice(cluster, say):
    """The practice cluster of this test process; at the end no job of a session is left there."""
    yield cluster
    make_free(cluster)
    for part in ("lmod", "apptainer"):
        if part in RAN:
            say(f"sessions with a real {part} that ran as expected: {', '.join(RAN[part])}")


@pytest.fixture
def queue(request):
    """The practice cluster that the test's session needs, without a job, and with all nodes free."""
    newer = sessions.slurm_of(request.node.callspec.params["session"])
    cluster = request.getfixturevalue("newer_cluster" if newer else "practice")
    make_free(cluster)
    return cluster


def make_free(cluster) -> None:
    done = cluster.run(["bash", "-c", reader.FREE], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.needs_slurm
@pytest.mark.slow
@pytest.mark.parametrize("session", NOT_TYPED, ids=lambda p: p.stem)
def test_session_runs_as_expected(queue, require, request, session):
    parts = [part for part in sessions.needs(session) if not part.startswith("Slurm ")]
    for part in parts:
        require(part)
    if "accounting" in sessions.needs(session):
        request.getfixturevalue("accounting")
    status, output = run(queue, session)
    assert status == 0, output
    for part in parts:
        RAN.setdefault(part, []).append(session.stem)


def run(cluster, session) -> tuple[int, str]:
    """Run a session in a folder of its own, since prysk writes beside it, and end what it leaves in the background.

    The folder's name is short: sockets in it may have 107 characters (unix(7)).
    """
    with tempfile.TemporaryDirectory(prefix="session-", ignore_cleanup_errors=True) as folder:
        shutil.copy(session, folder)
        env = cluster.environment() | sessions.environment(cluster.environment()) | {"TMPDIR": folder}
        command = cluster.command(sessions.prysk_command(session.name))
        options = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True, "start_new_session": True}
        with subprocess.Popen(command, cwd=folder, env=env, **options) as process:
            try:
                output, _ = process.communicate(timeout=PATIENCE)
            finally:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
    return process.returncode, output


@pytest.mark.parametrize("session", SESSIONS, ids=lambda p: p.stem)
def test_recorded_output_fits(session):
    assert not sessions.mismatches(session)


@pytest.mark.parametrize("session", SESSIONS, ids=lambda p: p.stem)
def test_recorded_head_names_slurm_where_it_took_part(session):
    recorded = sessions.recorded_path(session).read_text()
    if "ssh" not in sessions.needs(session):  # these run on practice machines, and name OpenSSH
        assert ("slurm-wlm" in recorded.splitlines()[0]) == sessions.asks_slurm(recorded)
    assert f"slurm-wlm {sessions.slurm_of(session)}" in recorded.splitlines()[0] or not sessions.slurm_of(session)


@pytest.mark.parametrize("session", SESSIONS, ids=lambda p: p.stem)
def test_a_page_has_every_command_of_a_session(session):
    """What is folded below it and what it shows, one behind the other, are what the test runs, line by line."""
    text, _ = sessions.shown(sessions.recorded_path(session))
    typed = [line[4:] for line in session.read_text().splitlines() if line[:4] in ("  $ ", "  > ")]
    on_page = [line[2:] for line in text.splitlines() if line[:2] in ("$ ", "> ")]
    assert [*filter(None, sessions.prepared(session).split("\n")), *filter(None, on_page)] == [*filter(None, typed)]


def test_recorded_sessions_show_the_person_of_the_course():
    """No user of the machine on which somebody recorded them: her name stands in the queue and in accounting."""
    in_queue = re.compile(r"^ +\d+ +\w+ +\S+ +(\w+) +(?:R|PD|CG) +\d+:\d\d ", flags=re.M)
    in_accounting = re.compile(r"^ +(\w+) +course $", flags=re.M)
    shown = [sessions.recorded_path(one).read_text() for one in SESSIONS]
    names = [name for text in shown for pattern in (in_queue, in_accounting) for name in pattern.findall(text)]
    assert len(names) >= 4 and set(names) == {reader.PERSON}


def test_sessions_wait_with_the_functions_of_waits_bash():
    """None has a loop of its own, which would go on unseen where it waits in vain. Its programs may have some."""
    own = re.compile(r"\b(for try in|while|until)\b.*\bsleep\b|\btimeout \d")
    heads = {session.stem: session.read_text().split("#show")[0].splitlines() for session in SESSIONS}
    assert not [
        (name, line) for name, head in heads.items() for line in head if line[:4] == "  $ " and own.search(line)
    ]


def test_every_session_is_shown_on_a_page():
    shown = set()
    for page in pages():
        shown.update(re.findall(r"\{session\} (\S+)", page.read_text()))
    assert {s.stem for s in SESSIONS} == shown


def test_every_console_block_is_a_session_or_a_record(say):
    """Count what pages show at a prompt; nothing may be pasted (a block that begins with a prompt)."""
    kinds = {"session": 0, "record": 0}
    pasted = []
    for page in pages():
        text = page.read_text()
        for kind in kinds:
            kinds[kind] += len(re.findall(rf"\{{{kind}\}} ", text))
        blocks = re.findall(r"^`{3,}(\S*)\n(.*?)^`{3,}$", text, flags=re.M | re.S)
        pasted += [f"{page.name}: {body.splitlines()[0]}" for _, body in blocks if re.match(r"\s*\$ ", body)]
    say(f"console blocks: {kinds['session']} sessions that ran, {kinds['record']} marked records, {len(pasted)} others")
    assert not pasted


def test_prysk_is_the_pinned_one():
    """The program that runs the sessions is the one of requirements.txt, whose rules `sessions` knows."""
    pinned = re.search(r"^prysk==(\S+)", (REPO / "requirements.txt").read_text(), flags=re.M)[1]
    program = sessions.prysk_command("any.t")[0]
    told = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    assert told.split()[-1] == pinned == metadata.version("prysk")
