"""The search finds what people type, from every page, from a disk too; what it cannot do it says."""

import json
import re
from pathlib import Path

import pytest
import yaml
from lxml.html import document_fromstring
from site_visits import Visitor

from workshop import sites
from workshop.book import minisearch, search, sphinx_ext
from workshop.paths import REPO

QUERIES = yaml.safe_load(Path(__file__).with_name("queries.yml").read_text())
ASKED = yaml.safe_load((REPO / "tests" / "logs" / "asked.yml").read_text())
_FIND = """async (queries) => {
    const find = await workshopSearch();
    return queries.map((query) => find(query, 10).map((entry) => `${entry.page}#${entry.anchor}`));
}"""
# From the left edge of the field: where the magnifier ends, and where the text begins.
_MAGNIFIER = """field => [
    field.parentElement.querySelector("i").getBoundingClientRect().right - field.getBoundingClientRect().left,
    parseFloat(getComputedStyle(field).paddingLeft),
]"""


@pytest.fixture
def visitor(browser):
    """Somebody at a desk, in a fresh browser profile."""
    one = Visitor(browser, viewport={"width": 1280, "height": 900})
    yield one
    one.close()


@pytest.fixture
def indexed(html, require) -> Path:
    """The built site, whose search has an index by section, since npm is here."""
    require("node")
    assert minisearch.missing() is None
    return html


def questions() -> dict[str, list[tuple[str, list[str]]]]:
    """Name of a set -> its queries, each with the entries that answer it; a fork has no pages of our clusters."""
    known = {f"clusters/{site.name}" for site in sites.offered()}
    sets = {
        name: [
            (query, [one for one in answers if one in known or not one.startswith("clusters/")])
            for query, answers in (next(iter(one.items())) for one in group)
        ]
        for name, group in QUERIES.items()
    }
    messages = [(asked["text"], [f"book/troubleshooting#{asked['entry']}"]) for asked in ASKED if asked.get("entry")]
    return sets | {"messages": messages}


def place(found: list[str], answers: list[str]) -> int | None:
    """Where among the results the first answer stands, from 0; a page stands for its sections, too."""
    wanted = (n for n, entry in enumerate(found) if entry in answers or entry.split("#")[0] in answers)
    return next(wanted, None)


@pytest.mark.needs_browser
def test_a_cluster_s_name_finds_its_page_first(visitor, indexed, address):
    visitor.open(f"{address}/index.html")
    named = {site.title: f"clusters/{site.name}" for site in sites.offered() if site.status != "software"}
    found = visitor.page.evaluate(_FIND, list(named))
    first = {title: entries[0].split("#")[0] for title, entries in zip(named, found, strict=True)}
    assert first == named


@pytest.mark.needs_browser
def test_what_people_type_is_found(visitor, indexed, address, say):
    visitor.open(f"{address}/index.html")
    for name, group in questions().items():
        results = visitor.page.evaluate(_FIND, [query for query, _ in group])
        places = [place(found, answers) for found, (_, answers) in zip(results, group, strict=True)]
        first = sum(at == 0 for at in places)
        three = sum(at is not None and at < 3 for at in places)
        say(f"search, {name}: of {len(group)} queries {first} have the right entry first, {three} among three")
        missed = [f"{query!r}: {found[:3]}" for (query, _), found, at in zip(group, results, places, strict=True) if at]
        assert all(results), name
        assert first >= 0.75 * len(group), missed
        assert three >= 0.95 * len(group), missed


def test_aliases_and_answers_are_there(indexed):
    script = (indexed / "_static" / search.INDEX).read_text()
    data = json.loads(script.removeprefix("window.workshopSearchData=").removesuffix(";\n"))
    pages = [page for page, _ in data["pages"]]
    known = {*pages, *(f"{pages[number]}#{anchor}" for number, anchor, *_ in data["entries"])}
    assert set(data["aliases"]) <= known
    assert {answer for group in questions().values() for _, answers in group for answer in answers} <= known


@pytest.mark.needs_browser
def test_results_appear_while_one_types(visitor, indexed, address, axe):
    """From a page in a folder: the keyboard leads to the section, and Enter to all results."""
    visitor.open(f"{address}/book/self_study.html")
    assert not [url for url in visitor.requested if "searchdata" in url], "the index is for who searches"
    visitor.page.keyboard.press("Control+k")
    field = visitor.page.locator("#pst-search-dialog input")
    field.type("address alre")
    visitor.page.locator("#pst-search-dialog .wk-results a").first.wait_for()
    assert visitor.faults() == []
    assert visitor.unreachable(axe) == []
    magnifier_ends, text_begins = field.evaluate(_MAGNIFIER)
    assert magnifier_ends < text_begins
    visitor.page.keyboard.press("ArrowDown")
    visitor.page.keyboard.press("Enter")
    visitor.page.wait_for_url(f"{address}/book/troubleshooting.html#msg-in-use")

    visitor.page.keyboard.press("Control+k")
    visitor.page.keyboard.type("address already in use")
    visitor.page.keyboard.press("Enter")
    visitor.page.wait_for_url(re.compile(r"search\.html\?q=address"))
    first = visitor.page.locator("#search-results li").first
    first.wait_for()
    assert first.locator("a").get_attribute("href").endswith("book/troubleshooting.html#msg-in-use")
    assert visitor.page.locator("#search-results mark").count() > 0
    visitor.settle()
    assert visitor.problems == []


PASTED = """epoch 3 loss 0.412
Traceback (most recent call last):
  File "/home/ada/train.py", line 41, in <module>
torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.50 GiB. GPU 0 has a total capacity of 39.39 GiB
srun: error: node07: task 0: Exited with exit code 1
"""


@pytest.mark.needs_browser
def test_a_pasted_log_leads_to_its_message(visitor, indexed, address):
    visitor.open(f"{address}/book/troubleshooting.html")
    field = visitor.page.get_by_label("Paste your error")
    field.fill(PASTED)
    first = visitor.page.locator(".wk-paste li a").first
    first.wait_for()
    assert first.get_attribute("href").endswith("#msg-cuda-memory")
    field.fill("everything went well")
    visitor.page.locator(".wk-paste").get_by_role("status").filter(
        has_text="No message that this page knows"
    ).wait_for()
    visitor.settle()
    assert [visitor.external(address), visitor.problems, visitor.faults()] == [[], [], []]


@pytest.mark.needs_browser
def test_nothing_found_is_said(visitor, indexed, address):
    visitor.open(f"{address}/search.html?q=xyzzyqq")
    visitor.page.get_by_role("status").filter(has_text="Nothing found").wait_for()


@pytest.mark.needs_browser
def test_the_search_works_from_a_disk(visitor, indexed):
    visitor.open((indexed / "search.html").as_uri() + "?q=weak+scaling")
    link = visitor.page.locator("#search-results a").first
    link.wait_for()
    link.click()
    visitor.page.wait_for_url(re.compile(r"^file://.*/book/(scaling|glossary)\.html"))
    assert visitor.problems == []


def test_without_javascript_the_search_page_says_so(html):
    page = document_fromstring((html / "search.html").read_text())
    (said,) = page.xpath("//main//noscript")
    assert "Please activate JavaScript to enable the search" in said.text_content()


SEARCH_PAGE = """<!doctype html><html><head>
<script src="_static/searchtools.js"></script><script src="searchindex.js"></script></head>
<body><div class="bd-search-container"><div id="search-results"></div></div></body></html>"""


@pytest.mark.parametrize(
    ("reason", "scripts", "says"),
    [(None, 0, ""), ("npm is not installed", 2, "built without npm")],
    ids=["with npm", "without npm"],
)
def test_a_site_built_without_npm_keeps_the_search_of_sphinx(monkeypatch, reason, scripts, says):
    monkeypatch.setattr(minisearch, "missing", lambda: reason)
    page = document_fromstring(SEARCH_PAGE)
    for step in sphinx_ext.STEPS:
        step(page)
    assert len(page.xpath("//script")) == scripts
    assert page.get("data-search") == (None if reason else "sections")
    assert says in page.text_content()
