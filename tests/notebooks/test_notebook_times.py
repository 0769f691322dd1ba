"""How long the notebooks took when they last ran: by the clock, on a busy machine by what they computed."""

import json

from workshop.book.execute import STORE, own_seconds
from workshop.book.toc import notebooks

LONGEST_S = 120
TOGETHER_S = 12 * 60
AGAIN = "delete the notebook's files in _build/notebooks and run `make book` again on a quiet machine"


def seconds(after) -> dict[str, float]:
    """Notebook -> seconds that count of its stored run."""
    failed = after("notebooks/")
    assert not failed, "not every notebook ran"
    return {n.stem: own_seconds(json.loads((STORE / f"{n.stem}.json").read_text())) for n in notebooks()}


def test_no_notebook_takes_too_long(after):
    long = {name: round(took) for name, took in seconds(after).items() if took > LONGEST_S}
    assert not long, f"over {LONGEST_S} s: {long}; {AGAIN}"


def test_all_notebooks_together(after, say):
    took = seconds(after)
    longest = max(took, key=took.get)
    say(f"{len(took)} notebooks ran in {sum(took.values()):.0f} s, the longest ({longest}) in {took[longest]:.0f} s")
    assert sum(took.values()) <= TOGETHER_S, AGAIN
