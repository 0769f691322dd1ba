"""Console sessions: each runs as expected, and what pages show of it fits what is expected."""

import re
import subprocess

import pytest
from machine_parts import missing_programs

from workshop.book import sessions
from workshop.book.toc import pages

SESSIONS = sessions.all_sessions()
# Part of the machine -> the sessions that needed it and ran as expected.
RAN: dict[str, list[str]] = {}


@pytest.fixture(scope="module")
def queue(request, cluster, say):
    """The practice cluster with its accounting settled, and at the end of each session empty."""
    if not missing_programs("accounting"):
        request.getfixturevalue("accounting")
    yield cluster
    for part in ("lmod", "apptainer"):
        if part in RAN:
            say(f"sessions with a real {part} that ran as expected: {', '.join(RAN[part])}")


@pytest.mark.needs_slurm
@pytest.mark.slow
@pytest.mark.parametrize("session", SESSIONS, ids=lambda p: p.stem)
def test_session_runs_as_expected(queue, require, session):
    for part in sessions.needs(session):
        require(part)
    result = run(queue, session)
    assert result.returncode == 0, result.stdout + result.stderr
    for part in sessions.needs(session):
        RAN.setdefault(part, []).append(session.stem)


def run(queue, session) -> subprocess.CompletedProcess:
    """Run a session; what it leaves in the queue is cancelled, so that the next one finds none of it."""
    env = sessions.environment(queue.environment())
    command = sessions.prysk_command(session.name)
    try:
        return queue.run(command, cwd=session.parent, env=env, capture_output=True, text=True)
    finally:
        queue.run(["scancel", "--me"])
        session.with_suffix(".t.err").unlink(missing_ok=True)


@pytest.mark.parametrize("session", SESSIONS, ids=lambda p: p.stem)
def test_recorded_output_fits(session):
    assert not sessions.mismatches(session)


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
    result = subprocess.run([sessions.prysk_command("any.t")[0], "--version"], capture_output=True, text=True)
    assert result.returncode == 0
