"""``workshop why`` leads each message to its entry, and where it knows nothing it claims nothing."""

from pathlib import Path

import pytest

from workshop.logs.why import load_messages, why
from workshop.yaml_files import read_yaml

HERE = Path(__file__).parent
MESSAGES = load_messages()
ASKED = read_yaml(HERE / "asked.yml")


def known(log: str):
    answer = why(log, MESSAGES)
    return answer.entry["id"] if answer.entry else None


@pytest.mark.parametrize("asked", ASKED, ids=[asked["id"] for asked in ASKED])
def test_messages_that_people_asked_about(asked):
    answer = why(asked["text"], MESSAGES)
    assert answer.entry and answer.entry["id"] == asked["entry"], answer
    assert asked["first"] in answer.causes[0]["why"]


@pytest.mark.parametrize("file", ["unknown", "healthy"])
def test_nothing_is_claimed_of_what_is_not_known(file):
    logs = read_yaml(HERE / f"{file}.yml")
    assert len(logs) >= 30
    claimed = {name: known(log) for name, log in logs.items()}
    assert {name: entry for name, entry in claimed.items() if entry} == {}


NOISE = read_yaml(HERE / "noise.yml")


@pytest.mark.parametrize("log", NOISE, ids=[log["name"] for log in NOISE])
def test_the_first_cause_among_what_follows_from_it(log):
    answer = why(log["text"], MESSAGES)
    assert answer.entry and (answer.entry["id"], answer.error.line) == (log["entry"], log["line"]), answer.error
