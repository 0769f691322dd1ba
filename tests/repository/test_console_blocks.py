"""Which blocks of commands and outputs on the pages are executed in continuous integration, and why the rest is not.

How blocks are counted:

- A ``{session}`` is executed: its commands run as they stand, and its output is compared (tests/sessions).
- A ``{record}`` shows a recording of a scheduler that can't be had here. It counts as executed only if a test runs the
  recorded job again without the scheduler and *every* line that the page shows comes out, with the same values
  (tests/rehearse/test_shown_records.py says which lines a rehearsal cannot print and who writes them). A block with
  a refusal, a reason, a measurement or any other answer of the scheduler does not count.
- A block of commands without output counts as executed only if a test runs it as it stands
  (test_typed_commands.py). Placeholders that a reader must replace (``# EDIT``, ``NAME``) are replaced there, too.
- Ranges of one recording in one block are one block; parts of the recording between them are cut visibly.
- The command lines that ``{exercise}`` adds below each exercise are not counted: they are one template.

A *command* is counted as executed only where that very command ran: in a session or typed. So ``qsub`` and ``bsub``
at a prompt of a recording never count, even where their job ran again.
"""

import re
from functools import cache
from pathlib import Path

import pytest

from workshop.book import records, sessions
from workshop.book.toc import pages
from workshop.paths import REPO
from workshop.yaml_files import read_yaml

LISTED = read_yaml(Path(__file__).with_name("console_blocks.yml"))
# Languages of blocks that hold commands or output. Code of programs and scripts is included from files.
TYPED = {"bash", "sh", "shell", "console", "text", ""}


@cache
def shown_records() -> list[tuple[str, str, str]]:
    """Page, file and lines of every recording on a page."""
    return [(page.name, *block) for page in pages() for block in records.in_page(page.read_text())]


def fenced(page: Path) -> list[tuple[str, str]]:
    """Language and text of every block between fences; ``{session}`` and the like are languages, too."""
    found, lines = [], iter(page.read_text().split("\n"))
    for line in lines:
        fence = re.fullmatch(r"( *)(`{3,})(\{?[\w-]*\}?)(?: .*)?", line)
        if fence:
            indent, end, language = fence.groups()
            body = iter(lambda: next(lines), indent + end)
            found.append((language, "\n".join(line.removeprefix(indent) for line in body)))
    return found


@cache
def typed_blocks() -> dict[tuple[str, str], str]:
    """Page and first line -> text of every block without a directive."""
    blocks = [(page.name, body) for page in pages() for language, body in fenced(page) if language in TYPED]
    return {(name, body.split("\n")[0]): body for name, body in blocks}


def record_key(entry: dict) -> tuple[str, str, str]:
    return entry["page"], entry["file"], entry["lines"]


def prompts(text: str) -> int:
    """Commands at a prompt."""
    return sum(line.startswith("$ ") for line in text.split("\n"))


def commands(text: str) -> int:
    """Commands of a block without prompts: lines that are neither comments nor continue the line before."""
    lines = re.sub(r"\\\n", "", text).split("\n")
    return sum(bool(line.strip()) and not line.lstrip().startswith("#") for line in lines)


def test_every_record_of_every_page_is_listed_and_no_other():
    listed = [record_key(entry) for entry in LISTED["records"]]
    assert sorted(listed) == sorted(shown_records())


def test_every_block_of_commands_is_listed_and_no_other():
    listed = [(entry["page"], entry["begins"]) for entry in LISTED["typed"]]
    assert sorted(listed) == sorted(typed_blocks())


def test_no_block_escapes_the_lists():
    """Programs and scripts come from files, so no other language may stand between fences."""
    other = {(page.name, name) for page in pages() for name, _ in fenced(page) if not name.startswith("{")}
    assert {name for _, name in other} <= TYPED, other
    pasting = re.compile(r"[`:]{3,}\{(?:code|code-block|code-cell|sourcecode|parsed-literal|prompt|highlight)\}")
    assert not [page.name for page in pages() if pasting.search(page.read_text())]


@pytest.mark.parametrize("entry", LISTED["records"] + LISTED["typed"], ids=lambda e: " ".join(list(e.values())[:3]))
def test_each_has_a_test_or_a_reason(entry):
    assert ("reason" in entry) != ("executed_by" in entry)
    if "reason" in entry:
        assert entry["reason"] in LISTED["reasons"]
        if "file" in entry:
            assert entry["shows"], "what does the scheduler say here?"
    else:
        assert (REPO / entry["executed_by"]).is_file()


def test_every_reason_is_used_and_explained():
    used = {entry.get("reason") for entry in LISTED["records"] + LISTED["typed"]} - {None}
    assert used == set(LISTED["reasons"])
    assert all(len(text.split()) > 7 for text in LISTED["reasons"].values())


class Count:
    """Blocks or commands, executed and in all."""

    def __init__(self) -> None:
        self.executed = self.all = 0

    def add(self, number: int, executed: bool) -> None:
        self.all += number
        self.executed += number * executed

    @property
    def share(self) -> float:
        return self.executed / self.all

    def __str__(self) -> str:
        return f"{self.executed} of {self.all} executed ({100 * self.share:.1f} %)"


def test_share_that_is_executed(say):
    blocks, at_prompts, asked, typed = Count(), Count(), Count(), Count()
    for page in pages():
        for name in re.findall(r"\{session\} (\S+)", page.read_text()):
            text, _ = sessions.shown(sessions.recorded_path(sessions.FOLDER / f"{name}.t"))
            blocks.add(1, executed=True)
            at_prompts.add(1, executed=True)
            asked.add(prompts(text), executed=True)
    rerun = {record_key(entry) for entry in LISTED["records"] if "executed_by" in entry}
    for key in shown_records():
        text = records.shown(records.FOLDER / key[1], key[2])
        blocks.add(1, executed=key in rerun)
        at_prompts.add(1 if prompts(text) else 0, executed=key in rerun)
        asked.add(prompts(text), executed=False)
    for entry in LISTED["typed"]:
        if entry.get("reason") != "no_command":
            number = commands(typed_blocks()[entry["page"], entry["begins"]])
            typed.add(1, executed="executed_by" in entry)
            asked.add(number, executed="executed_by" in entry)
    say(f"commands on pages, at prompts or to type: {asked}; none to PBS or LSF counts as executed")
    say(f"console blocks with a prompt: {at_prompts}")
    say(f"console blocks, also excerpts of recorded logs and listings: {blocks}; {len(rerun)} recorded jobs ran again")
    say(f"blocks of commands to type: {typed}")
    assert asked.share >= 0.9
    assert at_prompts.share >= 0.9
    assert blocks.share >= 0.84
    assert typed.executed >= 9
