"""The page of messages: every message that it quotes was really printed, and every known failure has its place.

An entry has a label ``(msg-…)=`` and a heading with the message, where ``…`` is what differs from run to run. Its line
*Shown in* leads to the section whose session or record shows the message; where it has none, its wordings name the
source in which they stand, or a program of ``tests/logs/triggers.yml`` prints it. The lines *PBS* and *LSF* quote
recordings of those schedulers. All entries are made of the messages that ``workshop why`` reads.
"""

import re
from functools import cache
from pathlib import Path

import pytest

from workshop.book import messages, records, sessions
from workshop.logs import wordings
from workshop.paths import REPO
from workshop.yaml_files import read_yaml

BOOK = REPO / "book"
RECORDS = REPO / "tests" / "records"
PAGE = BOOK / "troubleshooting.md"
ENTRY = re.compile(r"^\((msg-[\w-]+)\)=\n### ([^\n]*)\n\n(.*?)(?=^\([\w-]+\)=|^##|\Z)", re.M | re.S)
ENTRIES = ENTRY.findall(PAGE.read_text())
COVERAGE = read_yaml(Path(__file__).with_name("failures_coverage.yml"))


def plain(text: str) -> str:
    """The text on one line: sessions break long lines, and PBS and bash use quotation marks of other kinds."""
    return " ".join(re.sub("[`\u2018\u2019]", "'", text).split())


def printed(quote: str, text: str) -> bool:
    """Whether a quote, with ``…`` for anything short, occurs in the text."""
    pattern = r".{0,120}?".join(re.escape(part) for part in plain(quote).split("…"))
    return re.search(pattern, plain(text)) is not None


def quotes(heading: str) -> list[str]:
    """The quotes of a heading or of a line: what stands between backquotes."""
    return [a.strip() or b for a, b in re.findall(r"``(.+?)``|`([^`]+)`", heading)]


def slug(heading: str) -> str:
    """The anchor of a heading, as MyST makes it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-")


@cache
def sections(page: Path) -> dict[str, str]:
    """Anchor -> the text of its section, up to the next heading of the same or a higher level."""
    found, lines = {}, page.read_text().splitlines()
    for number, line in enumerate(lines):
        heading = re.match(r"(#+) (.*)", line)
        if not heading or _in_code(lines, number):
            continue
        level = len(heading[1])
        end = number + 1
        while end < len(lines) and not (
            (other := re.match(r"(#+) ", lines[end])) and len(other[1]) <= level and not _in_code(lines, end)
        ):
            end += 1
        text = "\n".join(lines[number:end])
        label = re.fullmatch(r"\(([\w-]+)\)=", lines[number - 1])
        for anchor in {slug(heading[2]), label[1] if label else slug(heading[2])}:
            found.setdefault(anchor, text)
    return found


def _in_code(lines: list[str], number: int) -> bool:
    return sum(line.startswith("```") for line in lines[:number]) % 2 == 1


def shown_output(text: str) -> str:
    """Everything that the sessions and records of this piece of a page show."""
    out = [
        sessions.shown(REPO / "tests/sessions/recorded" / f"{n}.t")[0] for n in re.findall(r"\{session\} (\S+)", text)
    ]
    out += [records.shown(RECORDS / name, lines) for name, lines in records.in_page(text)]
    return "\n".join(out)


def source(body: str) -> str:
    """The output that an entry says shows its message."""
    line = re.search(r"^- \*\*Shown in\*\* (.*)$", body, flags=re.M)
    assert line, "no line 'Shown in'"
    record = re.search(r"the record `([\w/.]+)`", line[1])
    if record:
        return (RECORDS / record[1]).read_text(errors="replace")
    link = re.search(r"\]\(([\w.]*)#([\w-]+)\)", line[1])
    return shown_output(place(link[1], link[2])) if link else shown_output(body)


def place(page: str, anchor: str) -> str:
    """The section behind a link: a label of any page where the link names none, else a heading of that page."""
    pages = [BOOK / page] if page else [PAGE, *sorted(BOOK.glob("*.md"))]
    found = [sections(path)[anchor] for path in pages if anchor in sections(path)]
    assert found, f"no section {page}#{anchor}"
    return found[0]


def test_there_are_at_least_forty_entries():
    assert len(ENTRIES) >= 40
    assert PAGE.read_text().count("\n(msg-") == len(ENTRIES)


def test_the_entries_are_those_that_the_command_knows():
    text = PAGE.read_text()
    assert messages.page(text) == text, "make them anew: workshop book messages"
    assert [name for name, _, _ in ENTRIES] == [m[1] for m in re.finditer(r"^\((msg-[\w-]+)\)=$", text, re.M)]
    assert {name for name, _, _ in ENTRIES} == {entry["id"] for entry in wordings.read()}


@pytest.mark.parametrize(("name", "heading", "body"), ENTRIES, ids=[name for name, _, _ in ENTRIES])
def test_message_is_shown_where_the_entry_says(name, heading, body):
    assert quotes(heading)
    for part in ("From", "Mend"):
        assert f"- **{part}** " in body, f"no line {part!r}"
    if "- **Shown in** " not in body:
        return
    output = source(body)
    for quote in quotes(heading):
        assert printed(quote, output), f"{quote!r} is not printed there"


@pytest.mark.parametrize("scheduler", ["pbs", "lsf"])
def test_messages_of_pbs_and_lsf_were_recorded(scheduler):
    # A recording may have bytes of any kind, and its long lines are broken by the scheduler.
    recorded = "\n".join(p.read_text(errors="replace") for p in sorted((RECORDS / scheduler).glob("*.txt")))
    lines = re.findall(rf"^- \*\*{scheduler.upper()}\*\* (.*)$", PAGE.read_text(), flags=re.M)
    assert len(lines) >= 10
    # Words that are typed, not printed: options, commands.
    typed = re.compile(r"^-|^(?:bsub|qstat|qsub) (?!:)[-\w]+$|^<$|^qstat -s$|^bsub FILE$")
    missing = [q for line in lines for q in quotes(line) if not typed.search(q) and not printed(q, recorded)]
    assert not missing


def test_reports_of_messages_have_links():
    lines = re.findall(r"^- \*\*Reported in\*\* (.*)$", PAGE.read_text(), flags=re.M)
    assert len(lines) >= 4
    assert all(re.fullmatch(r"\[[\w -]+\]\(https://\S+\)", line) for line in lines)


@pytest.mark.parametrize("name", COVERAGE)
def test_known_failure_is_on_a_page_or_has_a_reason(name):
    entry = COVERAGE[name]
    assert entry["what"]
    if "not" in entry:
        assert len(entry["not"].split()) >= 4, "a reason is a sentence"
        return
    page, anchor = entry["at"].split("#")
    assert place(page, anchor)
