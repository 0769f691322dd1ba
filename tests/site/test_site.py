"""The pages as files: links, pictures, hosts, tracebacks."""

from functools import cache
from pathlib import Path
from urllib.parse import unquote, urlparse

import pytest
from lxml.html import HtmlElement, document_fromstring

from workshop.book import clusters
from workshop.book.site import HTML
from workshop.book.toc import documents
from workshop.paths import REPO

PAGES = [f"{document}.html" for document in documents()]
# Made from the site files.
CLUSTERS = [f"{document}.html" for document in clusters.documents()]
# Elements whose address the browser fetches by itself when it opens a page.
_FETCHED = "//script/@src | //img/@src | //iframe/@src | //source/@src | //video/@src | //audio/@src | //embed/@src"
_LINKED = "//a/@href | //link/@href | //script/@src | //img/@src"
_ARTICLE = "//article[contains(concat(' ', @class, ' '), ' bd-article ')]"


@cache
def parsed(path: Path) -> HtmlElement:
    return document_fromstring(path.read_text())


@cache
def anchors(path: Path) -> frozenset[str]:
    return frozenset(parsed(path).xpath("//@id"))


def local_target(page: Path, address: str) -> tuple[Path, str] | None:
    """The file and the anchor that a link of a page leads to; None for links to elsewhere."""
    url = urlparse(address)
    if url.scheme or url.netloc:
        return None
    path = (page.parent / unquote(url.path)).resolve() if url.path else page
    return (path / "index.html" if path.is_dir() else path), unquote(url.fragment)


def dead_links(page: Path) -> list[str]:
    """Links to files or anchors that do not exist."""
    dead = []
    for address in sorted(set(parsed(page).xpath(_LINKED))):
        target = local_target(page, address)
        if target is None:
            continue
        path, anchor = target
        # "#" alone is the theme's "no link yet" of its own buttons.
        if not path.is_file() or (anchor and path.suffix == ".html" and anchor not in anchors(path)):
            dead.append(address)
    return dead


def fetched_elsewhere(page: Path) -> list[str]:
    """Addresses of other hosts that a browser would ask by itself."""
    links = [link for link in parsed(page).xpath("//link") if "canonical" not in link.get("rel", "").split()]
    addresses = parsed(page).xpath(_FETCHED) + [link.get("href", "") for link in links]
    return [address for address in addresses if urlparse(address).netloc]


def without_alternative(page: Path) -> list[str]:
    """Pictures that say nothing to somebody who can't see them."""
    article = parsed(page).xpath(_ARTICLE)[0]
    images = [(image.get("src", ""), image.get("alt", "")) for image in article.iter("img")]
    poor = [source for source, text in images if len(text.split()) < 3 or "_images" in text]
    drawn = [svg for svg in article.iter("svg") if not svg.get("aria-label") and svg.get("aria-hidden") != "true"]
    return poor + [f"svg in line {svg.sourceline}" for svg in drawn]


def page_problems(page: Path) -> list[str]:
    """All that is wrong with one page as a file."""
    articles = parsed(page).xpath(_ARTICLE)
    if not articles:
        return ["no article"]
    problems = [] if len(articles[0].text_content().split()) > 50 else ["hardly any text"]
    problems += [f"dead link or anchor: {address}" for address in dead_links(page)]
    problems += [f"fetched from another host: {address}" for address in fetched_elsewhere(page)]
    problems += [f"no text alternative: {picture}" for picture in without_alternative(page)]
    if any("traceback" in box.classes and "output" in box.classes for box in parsed(page).iter("div")):
        problems.append("a cell ended in a traceback")
    return problems


@pytest.mark.parametrize("page", PAGES + CLUSTERS)
def test_page_as_a_file(html: Path, page: str):
    problems = page_problems(html / page)
    assert not problems, "\n".join(problems)


def test_no_path_of_the_building_machine_is_shown(html: Path):
    for page in html.rglob("*.html"):
        assert str(REPO) not in page.read_text(), page


def test_the_landing_page_links_to_every_chapter_and_notebook(html: Path):
    linked = {address.split("#")[0] for address in parsed(html / "index.html").xpath("//article//a/@href")}
    assert set(PAGES) - {"index.html"} <= linked


def test_notebooks_are_shown_with_outputs_and_can_be_downloaded(html: Path):
    for page in (p for p in PAGES if p.startswith("notebooks/")):
        opened = parsed(html / page)
        assert any("cell_output" in box.classes for box in opened.iter("div")), page
        assert any(address.endswith(".ipynb") for address in opened.xpath("//a[@download]/@href")), page


def test_no_page_is_left_from_an_earlier_book(html: Path):
    built = {str(p.relative_to(HTML)) for p in html.rglob("*.html") if "_static" not in p.parts}
    assert built - set(PAGES + CLUSTERS) <= {"genindex.html", "search.html"}
