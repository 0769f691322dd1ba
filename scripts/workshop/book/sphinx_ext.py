"""The Sphinx extension of the book: lexers, directives, and what every written page must go through."""

from pathlib import Path

from bs4 import BeautifulSoup
from sphinx.application import Sphinx

from workshop.book import directives
from workshop.book.lexers import ApptainerLexer, LsfLexer, PbsLexer, SlurmLexer

# The index of all words (it grows with the book) and its tools are for search-as-you-type, which is switched off.
_SEARCH = ("searchtools.js", "language_data.js", "searchindex.js")


def _lighten(soup: BeautifulSoup) -> None:
    """Drop what no reader sees: FontAwesome's script (a font draws the icons), the index outside of the search page."""
    search_page = soup.find(id="search-results") is not None
    for script in soup.find_all("script", src=True):
        name = script["src"].split("?")[0].rsplit("/", 1)[-1]
        if "fontawesome" in script["src"] or (name in _SEARCH and not search_page):
            script.decompose()


def _download_notebooks(soup: BeautifulSoup) -> None:
    """Let the download button save a notebook instead of showing its JSON (jupyter-book issue 2237)."""
    for link in soup.find_all("a", href=lambda href: href and href.endswith(".ipynb")):
        link["download"] = ""
        link.attrs.pop("target", None)


def _name_search_buttons(soup: BeautifulSoup) -> None:
    """A control's accessible name must contain its visible text (WCAG 2.5.3)."""
    for button in soup.select("button.search-button__button, button.search-button-field"):
        if button.get("aria-label") and button.get_text(strip=True):
            del button["aria-label"]


def _keyboard_scroll(soup: BeautifulSoup) -> None:
    """Code that scrolls sideways must be reachable by keyboard (WCAG 2.1.1)."""
    for block in soup.select("div.highlight > pre"):
        block["tabindex"] = "0"


def finish_pages(app: Sphinx, error: Exception | None) -> None:
    """Post-process every page that Sphinx wrote."""
    if error or app.builder.name != "html":
        return
    for page in Path(app.outdir).rglob("*.html"):
        if "_static" in page.parts:
            continue
        text = page.read_text()
        # literalinclude's diff names its two files by their whole path on the machine that builds.
        soup = BeautifulSoup(text.replace(f"{app.srcdir}/", ""), "lxml")
        for step in (_lighten, _download_notebooks, _name_search_buttons, _keyboard_scroll):
            step(soup)
        after = str(soup)
        if after != text:
            page.write_text(after)


def setup(app: Sphinx) -> dict:
    """Register everything with Sphinx."""
    app.add_lexer("slurm", SlurmLexer)
    app.add_lexer("pbs", PbsLexer)
    app.add_lexer("lsf", LsfLexer)
    app.add_lexer("apptainer", ApptainerLexer)
    app.add_directive("diagram", directives.Diagram)
    app.add_directive("session", directives.Session)
    app.add_directive("record", directives.Record)
    app.add_directive("exercise", directives.Exercise)
    app.add_directive("sites-table", directives.SitesTable)
    app.add_directive("references", directives.References)
    app.connect("build-finished", finish_pages)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
