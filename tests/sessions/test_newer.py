"""Sessions of Slurm with a newer version: they answer alike but for those of ``newer.yml``, and pages show both."""

import re

import pytest
from test_sessions import NOT_TYPED, SESSIONS, make_free, run

from workshop.book import sessions
from workshop.book.toc import pages
from workshop.paths import REPO
from workshop.yaml_files import read_yaml

DIFFER = read_yaml(REPO / "tests" / "sessions" / "newer.yml")
TRAINS = re.compile(r"torchrun|\bddp|scripts/train")  # not repeated: Slurm's part in these is small, PyTorch's long
OF_SLURM = [
    one
    for one in NOT_TYPED  # the others have no hidden part with which they would run alone
    if sessions.asks_slurm(one.read_text())
    and not (sessions.slurm_of(one) or TRAINS.search(one.read_text()) or DIFFER.get(one.stem, {}).get("hangs"))
]


@pytest.mark.needs_slurm
@pytest.mark.slow
@pytest.mark.extensive
@pytest.mark.parametrize("session", OF_SLURM, ids=lambda p: p.stem)
def test_session_answers_as_told_with_a_newer_slurm(require, newer_cluster, session):
    for part in sessions.needs(session):
        require(part)
    if "accounting" in sessions.needs(session):
        newer_cluster.start_accounting()
    make_free(newer_cluster)
    status, output = run(newer_cluster, session)
    told = DIFFER.get(session.stem)
    assert told or status == 0, output
    assert status != 0 or not told or told.get("sometimes"), f"{session.stem} answers as ever: take it out of newer.yml"


@pytest.mark.parametrize("name", DIFFER)
def test_what_differs_is_shown_on_the_same_pages_or_has_a_reason(name):
    told = DIFFER[name]
    assert told["what"]
    if "not" in told:
        assert len(told["not"].split()) >= 4, "a reason is a sentence"
        return
    shown = [[page for page in pages() if f"{{session}} {one}\n" in page.read_text()] for one in (name, told["shown"])]
    assert shown[0] == shown[1] != []


def test_every_session_of_a_newer_slurm_belongs_to_one_that_differs():
    newer = {one.stem for one in SESSIONS if sessions.slurm_of(one)}
    assert newer == {told["shown"] for told in DIFFER.values() if "shown" in told}
