"""The pages as files: links, pictures, hosts, tracebacks."""

from functools import cache
from pathlib import Path
from urllib.parse import unquote, urlparse

import pytest
from bs4 import BeautifulSoup

from workshop.book.site import HTML
from workshop.book.toc import documents
from workshop.paths import REPO

PAGES = [f"{document}.html" for document in documents()]
# Elements whose address the browser fetches by itself when it opens a page.
_FETCHED = ("script", "img", "iframe", "source", "video", "audio", "embed")


@cache
def soup(path: Path) -> BeautifulSoup:
    return BeautifulSoup(path.read_text(), "lxml")


@cache
def anchors(path: Path) -> frozenset[str]:
    return frozenset(tag["id"] for tag in soup(path).find_all(id=True))


def local_target(page: Path, address: str, html: Path) -> tuple[Path, str] | None:
    """The file and the anchor that a link of a page leads to; None for links to elsewhere."""
    url = urlparse(address)
    if url.scheme or url.netloc:
        return None
    path = (page.parent / unquote(url.path)).resolve() if url.path else page
    return (path / "index.html" if path.is_dir() else path), unquote(url.fragment)


@pytest.mark.parametrize("page", PAGES)
def test_page_exists_and_has_text(html: Path, page: str):
    article = soup(html / page).select_one("article.bd-article")
    assert article is not None
    assert len(article.get_text().split()) > 50


@pytest.mark.parametrize("page", PAGES)
def test_no_dead_link_or_anchor(html: Path, page: str):
    here, dead = html / page, []
    for tag, attribute in (("a", "href"), ("link", "href"), ("script", "src"), ("img", "src")):
        for element in soup(here).find_all(tag, attrs={attribute: True}):
            target = local_target(here, element[attribute], html)
            if target is None:
                continue
            path, anchor = target
            # "#" alone is the theme's "no link yet" of its own buttons.
            if not path.is_file() or (anchor and path.suffix == ".html" and anchor not in anchors(path)):
                dead.append(element[attribute])
    assert not dead


@pytest.mark.parametrize("page", PAGES)
def test_nothing_is_fetched_from_another_host(html: Path, page: str):
    addresses = [element.get("src", "") for element in soup(html / page).find_all(_FETCHED)]
    addresses += [e.get("href", "") for e in soup(html / page).find_all("link") if "canonical" not in e.get("rel", [])]
    assert not [a for a in addresses if urlparse(a).netloc]


@pytest.mark.parametrize("page", PAGES)
def test_pictures_have_a_text_alternative(html: Path, page: str):
    article = soup(html / page).select_one("article.bd-article")
    poor = [i["src"] for i in article.find_all("img") if len(i.get("alt", "").split()) < 3 or "_images" in i["alt"]]
    poor += [str(s)[:80] for s in article.find_all("svg") if not s.get("aria-label") and s.get("aria-hidden") != "true"]
    assert not poor


@pytest.mark.parametrize("page", PAGES)
def test_no_cell_ended_in_a_traceback(html: Path, page: str):
    assert not soup(html / page).select("div.output.traceback")


def test_no_path_of_the_building_machine_is_shown(html: Path):
    for page in html.rglob("*.html"):
        assert str(REPO) not in page.read_text(), page


def test_the_landing_page_links_to_every_chapter_and_notebook(html: Path):
    linked = {a["href"].split("#")[0] for a in soup(html / "index.html").select("article a[href]")}
    assert set(PAGES) - {"index.html"} <= linked


def test_notebooks_are_shown_with_outputs_and_can_be_downloaded(html: Path):
    for page in (p for p in PAGES if p.startswith("notebooks/")):
        parsed = soup(html / page)
        assert parsed.select("div.cell_output"), page
        assert parsed.select('a[href$=".ipynb"][download]'), page


def test_no_page_is_left_from_an_earlier_book(html: Path):
    built = {str(p.relative_to(HTML)) for p in html.rglob("*.html") if "_static" not in p.parts}
    assert built - set(PAGES) <= {"genindex.html", "search.html"}
