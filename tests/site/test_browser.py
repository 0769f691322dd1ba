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
REACHABLE = """() => [...document.querySelectorAll("article pre")]
    .filter((code) => code.checkVisibility() && code.scrollWidth > code.clientWidth + 1)
    .every((code) => code.tabIndex === 0)"""
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
    visitor.come_from_elsewhere()
    yield visitor
    visitor.close()


def seen_problems(visitor: Visitor, view: str) -> list[str]:
    """What is wrong with an open page in one view."""
    page, (scheme, size) = visitor.page, VIEWS[view]
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
    return problems + [f"{view}: {fault}" for fault in visitor.faults()]


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
        problems += seen_problems(reader, view)
    problems += copy_problems(reader, document)
    reader.settle()
    reader.forget()
    problems += reader.problems + [f"from another host: {url}" for url in reader.external(address)]
    assert not problems, "\n".join(problems)


def axe_problems(reader: Visitor, address: str, axe: str, document: str, views: list[str]) -> list[str]:
    """What axe-core finds on a page, loaded once and seen in these views."""
    reader.look(*VIEWS[views[0]])
    reader.open(f"{address}/{document}.html")
    problems = []
    for view in views:
        reader.look(*VIEWS[view])
        problems += seen_problems(reader, view)
        problems += [f"{view}: {problem}" for problem in reader.unreachable(axe)]
    return problems


@pytest.mark.extensive
@pytest.mark.parametrize("document", [*DOCUMENTS, "search", "genindex"])
def test_axe_finds_nothing_in_any_view(reader, address, axe, document: str):
    assert not axe_problems(reader, address, axe, document, [*VIEWS])


# A page of each kind: the front page, a chapter whose tables scroll on a phone, a notebook, what Sphinx makes.
@pytest.mark.parametrize(
    ("document", "view"),
    [("index", "light"), ("book/self_study", "phone"), ("notebooks/first_job", "dark"), ("search", "light")],
)
def test_axe_finds_nothing(reader, address, axe, document: str, view: str):
    assert not axe_problems(reader, address, axe, document, [view])


def test_code_fades_where_it_goes_on(newcomer, address):
    """What is drawn at the right edge of code that goes on is pale, until the code is scrolled to its end."""
    visitor = newcomer("phone")
    visitor.open(f"{address}/book/first_job.html")
    code = visitor.page.wait_for_selector("article div.highlight pre.wk-cut")
    faded = code.screenshot()
    code.evaluate("code => { code.style.maskImage = 'none' }")
    assert faded != code.screenshot()
    code.evaluate("code => { code.scrollLeft = code.scrollWidth }")
    visitor.page.wait_for_function("code => !code.classList.contains('wk-cut')", arg=code)


def test_what_a_tab_hides_can_be_scrolled_by_keyboard_once_it_is_opened(newcomer, address):
    visitor = newcomer("phone")
    visitor.open(f"{address}/book/first_job.html")
    for scheduler in ("PBS", "LSF"):
        visitor.page.locator(".sd-tab-label", has_text=scheduler).first.click()
        visitor.page.wait_for_function(REACHABLE)


def test_the_menu_of_a_phone_opens_at_the_current_page(newcomer, address):
    visitor = newcomer("phone")
    visitor.open(f"{address}/book/references.html")
    visitor.page.locator("button.primary-toggle:visible").first.click()
    visitor.page.locator("#pst-primary-sidebar-modal[open]").wait_for()
    assert visitor.faults() == []


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


def test_the_scheduler_is_chosen_once(newcomer, address):
    """The reader's tab follows to the next page."""
    visitor = newcomer()
    visitor.open(f"{address}/book/first_job.html")
    visitor.page.locator(".sd-tab-label", has_text="LSF").first.click()
    visitor.open(f"{address}/book/ddp_one_node.html")
    chosen = visitor.page.locator(".sd-tab-set input:checked + label").all_inner_texts()
    assert chosen
    assert set(chosen) == {"LSF"}
