"""How long the notebooks took when they last ran (their stored runs; each run is timed as a student would see it)."""

import json

from workshop.book.execute import STORE
from workshop.book.toc import notebooks

LONGEST_S = 120
TOGETHER_S = 12 * 60
AGAIN = "if the machine was busy, delete the notebook's files in _build/notebooks and run `make book` again"


def seconds() -> dict[str, float]:
    """Notebook -> seconds of its stored run."""
    return {n.stem: json.loads((STORE / f"{n.stem}.json").read_text())["seconds"] for n in notebooks()}


def test_no_notebook_takes_too_long():
    long = {name: round(took) for name, took in seconds().items() if took > LONGEST_S}
    assert not long, f"over {LONGEST_S} s: {long}; {AGAIN}"


def test_all_notebooks_together(say):
    took = seconds()
    longest = max(took, key=took.get)
    say(f"{len(took)} notebooks ran in {sum(took.values()):.0f} s, the longest ({longest}) in {took[longest]:.0f} s")
    assert sum(took.values()) <= TOGETHER_S, AGAIN
