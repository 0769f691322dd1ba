"""The pages as a reader sees them, in Chromium: light, dark and on a phone; and what their copy buttons copy."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import TimeoutError
from site_visits import Visitor

from workshop.book import records, sessions
from workshop.book.toc import documents
from workshop.paths import REPO

pytestmark = pytest.mark.needs_browser
DOCUMENTS = documents()
DESK, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 844}
VIEWS = {"light": ("light", DESK), "dark": ("dark", DESK), "phone": ("light", PHONE)}
FIRST_VISIT_LIMIT = 1_100_000  # bytes, uncompressed
_CONSOLE_BLOCK = re.compile(
    r"^ *`{3,}\{session\} (?P<session>\S+)|^ *`{3,}\{record\} (?P<record>\S+)\n *:lines: (?P<lines>.*)", re.M
)


@pytest.fixture
def newcomer(browser):
    """``newcomer("phone")``: a visitor in a fresh browser profile."""
    opened = []

    def make(view: str = "light", **profile) -> Visitor:
        scheme, size = VIEWS[view]
        opened.append(Visitor(browser, color_scheme=scheme, viewport=size, **profile))
        return opened[-1]

    yield make
    for one in opened:
        one.close()


@pytest.fixture(scope="session")
def reader(browser):
    """A visitor who opens page after page: a fresh profile for each would cost as much as all that is looked at."""
    visitor = Visitor(browser)
    yield visitor
    visitor.close()


def seen_problems(page, view: str) -> list[str]:
    """What is wrong with an open page in one view."""
    scheme, size = VIEWS[view]
    # The browser tells the page of a change with its next frame.
    try:
        page.wait_for_function(
            "([theme, width]) => document.documentElement.dataset.theme === theme"
            " && document.documentElement.clientWidth === width",
            arg=[scheme, size["width"]],
        )
    except TimeoutError:
        theme, width = page.evaluate("[document.documentElement.dataset.theme, document.documentElement.clientWidth]")
        return [f"{view}: the theme is {theme} in a window of {width} px"]
    problems = []
    width = page.evaluate("document.documentElement.scrollWidth")
    if width > size["width"]:
        problems.append(f"{view}: scrolls sideways: {width} px")
    broken = page.evaluate(
        "[...document.querySelectorAll('article table code .pre')]"
        ".filter(word => word.getClientRects().length > 1).map(word => word.textContent)"
    )
    problems += [f"{view}: breaks within a word: {word}" for word in broken]
    return problems


def commands(lines: list[str]) -> str | None:
    """What a reader wants of a console block: its commands with the lines that continue them; None: it has none."""
    kept = [line[2:] for line in lines if line.startswith(("$ ", "> "))]
    return "\n".join(kept) or None


def session_commands(name: str) -> str | None:
    """The commands of a session's part that pages show, from its recording."""
    lines = (sessions.FOLDER / "recorded" / f"{name}.t").read_text().split("\n")
    shown = lines[lines.index("#show") :] if "#show" in lines else lines
    return commands([line[2:] for line in shown if line.startswith("  ")])


def source_commands(document: str) -> list[str | None]:
    """The commands of each console block of a page, from the files that its source names."""
    source = Path(REPO / f"{document}.md")
    if not source.is_file():
        return []  # a notebook: its blocks are Python and its output
    return [
        session_commands(found["session"])
        if found["session"]
        else commands(records.shown(records.FOLDER / found["record"], found["lines"]).split("\n"))
        for found in _CONSOLE_BLOCK.finditer(source.read_text())
    ]


def copy_problems(visitor: Visitor, document: str) -> list[str]:
    """Console blocks must copy their commands only, other blocks what they show; output alone has no button."""
    blocks = visitor.copied()
    problems = []
    in_source, on_page = source_commands(document), [block for block in blocks if block.console]
    if len(in_source) != len(on_page):
        problems.append(f"{len(on_page)} console blocks, {len(in_source)} in its source")
    for want, block in zip(in_source, on_page, strict=False):
        if block.copied != want:
            problems.append(f"the button of {block.shown[:60]!r} copies {block.copied!r}, not {want!r}")
    for block in blocks:
        lines = block.shown.removesuffix("\n").split("\n")
        # What a notebook's cell printed may hold commands at a prompt: those are copied there, too.
        want = commands(lines) if any(line.startswith("$ ") for line in lines) else "\n".join(lines)
        if not block.console and block.copied != want:
            problems.append(f"the button of {block.shown[:60]!r} copies {block.copied!r}")
    return problems


@pytest.mark.parametrize("document", DOCUMENTS)
def test_page_in_the_browser(reader, address, document: str):
    """One visit: the page is loaded in one of the views (another one for each page) and then seen in the others."""
    first = DOCUMENTS.index(document) % len(VIEWS)
    problems = []
    for number, view in enumerate([*VIEWS][first:] + [*VIEWS][:first]):
        reader.look(*VIEWS[view])
        if number == 0:
            reader.open(f"{address}/{document}.html")
        problems += seen_problems(reader.page, view)
    problems += copy_problems(reader, document)
    reader.settle()
    reader.forget()
    problems += reader.problems + [f"from another host: {url}" for url in reader.external(address)]
    assert not problems, "\n".join(problems)


def test_copy_buttons_are_seen_and_touched_where_nothing_hovers(newcomer, address):
    visitor = newcomer("phone", has_touch=True, is_mobile=True)
    visitor.open(f"{address}/book/first_job.html")
    button = visitor.page.locator(".highlight-console button.copybtn:visible").first
    assert button.evaluate("button => matchMedia('(hover: none)').matches && getComputedStyle(button).opacity") == "1"
    button.tap()
    assert visitor.page.evaluate("navigator.clipboard.readText()") in source_commands("book/first_job")


def test_first_visit_of_the_first_chapter_is_light(newcomer, address, say):
    visitor = newcomer()
    visitor.open(f"{address}/book/first_job.html")
    total = visitor.weight()
    say(f"first visit of book/first_job.html: {total} bytes in {len(visitor.responses)} requests")
    assert total <= FIRST_VISIT_LIMIT


def test_the_search_finds_a_message(newcomer, address):
    """From any page: the word index is loaded by the search page only."""
    visitor = newcomer()
    visitor.open(f"{address}/book/first_job.html")
    visitor.page.keyboard.press("Control+k")
    visitor.page.keyboard.type("Address already in use")
    visitor.page.keyboard.press("Enter")
    # Sphinx adds the results one by one: wait for this one, not for the first.
    visitor.page.locator("#search-results li a", has_text="When it goes wrong").first.wait_for()


def test_the_scheduler_is_chosen_once(newcomer, address):
    """The reader's tab follows to the next page."""
    visitor = newcomer()
    visitor.open(f"{address}/book/first_job.html")
    visitor.page.locator(".sd-tab-label", has_text="LSF").first.click()
    visitor.open(f"{address}/book/ddp_one_node.html")
    chosen = visitor.page.locator(".sd-tab-set input:checked + label").all_inner_texts()
    assert chosen
    assert set(chosen) == {"LSF"}
