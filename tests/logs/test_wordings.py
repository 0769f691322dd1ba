"""The messages as data: complete, each found by its own wordings, the same in Python and in JavaScript."""

import json
import re
import subprocess
from pathlib import Path

import pytest

from workshop.logs import wordings
from workshop.logs.why import Log, load_messages, plain
from workshop.yaml_files import read_yaml

HERE = Path(__file__).parent
ENTRIES = wordings.read()
MESSAGES = load_messages()
KEYS = {"id", "title", "kind", "follows", "from", "wordings", "causes", "section"}
KEYS |= {"shown", "session", "report", "pbs", "lsf"}  # for the page
# Sources of schedulers and libraries, a file named; IBM's pages and public threads.
SOURCES = re.compile(r"(?:SchedMD/slurm|openpbs/openpbs|pytorch/pytorch|NVIDIA/nccl) \w+/|^torch/|^c10/|^IBM|issue \d+")


def said(text: str) -> str:
    """A line that has this wording."""
    return wordings.bare(text).replace("…", "x1")


def every_wording() -> list[tuple[str, str]]:
    return [(entry["id"], text) for entry in ENTRIES for texts in entry["wordings"].values() for text in texts]


def test_the_file_that_programs_read_is_made_from_the_one_that_people_edit():
    made = Path(wordings.__file__).with_name("messages.json").read_text(encoding="utf-8")
    assert made == wordings.as_json(), "make it anew: workshop book messages"


@pytest.mark.parametrize("entry", ENTRIES, ids=[entry["id"] for entry in ENTRIES])
def test_an_entry_is_complete(entry):
    assert set(entry) <= KEYS
    assert entry.get("kind", "cause") in wordings.KINDS
    assert entry["causes"] and all(cause["why"] and cause["mend"] for cause in entry["causes"])
    assert set(entry.get("follows", ())) <= {other["id"] for other in ENTRIES}


def test_each_name_and_each_wording_is_there_once():
    names = [entry["id"] for entry in ENTRIES]
    assert len(names) == len(set(names))
    texts = [text for _, text in every_wording()]
    assert sorted({text for text in texts if texts.count(text) > 1}) == []


def test_each_wording_leads_to_its_entry():
    """Many in one log, with empty lines between: some searches instead of thousands."""
    every = every_wording()
    for start in range(0, len(every), 150):
        some = every[start : start + 150]
        log = Log("\n\n\n".join(said(text) for _, text in some), MESSAGES)
        led = {match.line.number: match.entry["id"] for match in log.matches}
        assert {text: led.get(3 * n + 1) for n, (name, text) in enumerate(some) if led.get(3 * n + 1) != name} == {}


def test_wordings_come_from_sources_that_are_named(say):
    sourced = [text for e in ENTRIES for name, texts in e["wordings"].items() if SOURCES.search(name) for text in texts]
    say(f"messages: {len(ENTRIES)} entries, {len(every_wording())} wordings, {len(sourced)} of them from sources")
    assert len(sourced) >= 150


def test_javascript_reads_the_same(require, tmp_path):
    require("node")
    asked = [one["text"] for one in read_yaml(HERE / "asked.yml")]
    texts = [said(text) for _, text in every_wording()] + [line for text in asked for line in text.splitlines()]
    (tmp_path / "texts.json").write_text(json.dumps(texts))
    data = Path(wordings.__file__).with_name("messages.json")
    done = subprocess.run(
        ["node", str(HERE / "patterns.mjs"), str(data), str(tmp_path / "texts.json")],
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout) == [matching(plain(text)) for text in texts]


def matching(text: str) -> list[str]:
    """What the patterns say of one line in Python."""
    return [
        f"{entry['id']}: {wording['text']}"
        for entry in MESSAGES
        for wording in entry["wordings"]
        if wording["find"] in text and re.search(wording["pattern"], text)
    ]


@pytest.mark.parametrize(
    ("text", "line", "found"),
    [
        ("Unable to open file …", "sbatch: error: Unable to open file a.sbatch", True),
        ("Unable to open file …", "error: unable to open file a", True),
        ("Unable to open file …", "Unable to reopen file a", False),
        ("^Killed$", "Killed", True),
        ("^Killed$", "Killed by nobody", False),
        ("version 'GLIBC_…' not found", "version `GLIBC_2.38' not found", True),
        ("= …", "a.b(c) = 3", True),
        ("exit code 1", "exit code 137", False),
    ],
)
def test_a_wording_is_a_pattern(text, line, found):
    made = wordings.compiled(text)
    assert (made["find"] in plain(line) and re.search(made["pattern"], plain(line)) is not None) == found
