"""The search of the site: its index by section, made when all pages are written, and MiniSearch, which searches it.

Without npm there is no MiniSearch: the site then keeps Sphinx's own search, and its search page says so.
"""

import json
import re
from pathlib import Path

import yaml
from lxml import html

from workshop.book import clusters
from workshop.book.minisearch import MINISEARCH
from workshop.book.toc import documents
from workshop.logs import wordings
from workshop.paths import REPO

_LICENSE = "/* MiniSearch 7.2.0, copyright Luca Ongaro, MIT license: https://github.com/lucaong/minisearch */\n"
LIBRARY, INDEX = "minisearch.js", "searchdata.js"
_MOST_CODE = 1500  # characters of one section's code that are searched
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
# What a reader does not search for: permalinks, buttons, the line that says when a session was recorded.
_ASIDE = {"headerlink", "wk-recorded", "prev-next-area", "toctree-wrapper"}


def write(folder: Path) -> None:
    """Write the library and the index into the built site's ``_static``."""
    library = MINISEARCH.file("dist/umd/index.js").decode()
    (folder / "_static" / LIBRARY).write_text(_LICENSE + library, encoding="utf-8")
    data = json.dumps(index(folder), ensure_ascii=False, separators=(",", ":"))
    # Not JSON: a page opened from a disk may load scripts only.
    (folder / "_static" / INDEX).write_text(f"window.workshopSearchData={data};\n", encoding="utf-8")


def index(folder: Path) -> dict:
    """Pages with their titles, their sections, and the messages' patterns, as workshop.js reads them."""
    pages, entries = [], []
    for document in [*documents(), *clusters.documents()]:
        path = folder / f"{document}.html"
        if not path.is_file():
            continue
        articles = html.document_fromstring(path.read_text(encoding="utf-8")).xpath("//article")
        if not articles:  # made with another theme
            continue
        found = _sections(articles[0])
        pages.append([document, found[0][1] if found else document])
        entries += [[len(pages) - 1, *section] for section in found]
    return {"pages": pages, "entries": entries, "aliases": _aliases(), "messages": _messages()}


def _aliases() -> dict[str, str]:
    """Other words for pages and sections (``book/NAME#anchor``)."""
    file = REPO / "book" / "search.yml"
    return yaml.safe_load(file.read_text(encoding="utf-8")) if file.is_file() else {}


def _messages() -> list[list]:
    """Each message: its entry's anchor, its kind, what it follows from, and its wordings (text, pattern, weight)."""
    return [
        [m["id"], m["kind"], m.get("follows", []), [[w["text"], w["pattern"], w["weight"]] for w in m["wordings"]]]
        for m in wordings.messages()
    ]


def _sections(article: html.HtmlElement) -> list[list[str]]:
    """Anchor, title, text and code of each section, and of each word of a glossary."""
    found = []
    for section in article.iter("section"):
        heading = next((child for child in section if child.tag in _HEADINGS), None)
        if heading is not None and section.get("id"):
            prose, code = [], []
            for child in section:
                if child is not heading:
                    _collect(child, prose, code)
            found.append([_anchor(section), _one_line(_title(heading)), _one_line(prose), _one_line(code)[:_MOST_CODE]])
    for term in article.xpath(".//dl[contains(@class, 'glossary')]/dt[@id]"):
        prose: list[str] = []
        meaning = term.getnext()
        while meaning is not None and meaning.tag == "dt":  # words that share a meaning
            meaning = meaning.getnext()
        if meaning is not None:
            _collect(meaning, prose, prose)
        found.append([term.get("id"), _one_line(_title(term)), _one_line(prose), ""])
    return found


def _anchor(section: html.HtmlElement) -> str:
    """The name that was given to a section, which does not change with its title; else the title's."""
    spans = [span.get("id", "") for span in section.iterchildren("span")]
    names = [name for name in spans if name and not re.fullmatch(r"id\d+", name)]
    return names[0] if names else section.get("id")


def _title(heading: html.HtmlElement) -> list[str]:
    words: list[str] = []
    _collect(heading, words, words)
    return words


def _collect(element: html.HtmlElement, prose: list[str], code: list[str]) -> None:
    """Add what an element says, without the sections, glossary and asides within it; ``pre`` counts as code."""
    if not isinstance(element.tag, str) or element.tag in ("section", "svg", "script", "style", "button"):
        return
    if _ASIDE.intersection(element.classes) or "glossary" in element.classes:
        return
    into = code if element.tag == "pre" else prose
    if element.tag == "pre":
        into.append(element.text_content())
        into.append(" ")
        return
    into.append(element.text or "")
    for child in element:
        _collect(child, prose, code)
        into.append(child.tail or "")
    if element.tag in ("p", "li", "dt", "dd", "td", "th", "div", "label"):
        into.append(" ")


def _one_line(words: list[str]) -> str:
    return re.sub(r"\s+", " ", "".join(words)).strip()
