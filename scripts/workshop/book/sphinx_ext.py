"""The Sphinx extension of the book: lexers, directives, and what every page must go through before it is written."""

import hashlib
import re
from pathlib import Path

from lxml import html
from sphinx.application import Sphinx
from sphinx.builders import Builder
from sphinx.jinja2glue import BuiltinTemplateLoader
from sphinx.theming import Theme

from workshop import sites
from workshop.book import browser, directives, filled, home, measured, minisearch, play, search
from workshop.book.lexers import ApptainerLexer, LsfLexer, PbsLexer, SlurmLexer

# The index of all words (it grows with the book) and its tools are for search-as-you-type, which is switched off.
_SEARCH = ("searchtools.js", "language_data.js", "searchindex.js")
_DOCTYPE = "<!doctype html>"
_OPTION = re.compile(r"(?<![^\s(\[{\"'=,|/])(--?[A-Za-z][\w-]*)")
_NOT_PROSE = "ancestor::pre or ancestor::code or ancestor::svg or ancestor::script or ancestor::style"


def _lighten(page: html.HtmlElement) -> None:
    """Drop what no reader sees: FontAwesome's script (a font draws the icons), Sphinx's search where ours searches."""
    search_page = bool(page.xpath("//*[@id='search-results']")) and minisearch.missing() is not None
    for script in page.xpath("//script[@src]"):
        source = script.get("src")
        name = source.split("?")[0].rsplit("/", 1)[-1]
        if "fontawesome" in source or (name in _SEARCH and not search_page):
            script.drop_tree()


def _download_notebooks(page: html.HtmlElement) -> None:
    """Let the download button save a notebook instead of showing its JSON (jupyter-book issue 2237)."""
    for link in page.xpath("//a[contains(@href, '.ipynb')]"):
        if link.get("href").endswith(".ipynb"):
            link.set("download", "")
            link.attrib.pop("target", None)


def _name_search_buttons(page: html.HtmlElement) -> None:
    """A control's accessible name must contain its visible text (WCAG 2.5.3)."""
    for button in page.xpath("//button[@aria-label]"):
        searches = {"search-button__button", "search-button-field"}.intersection(button.classes)
        if searches and button.text_content().strip():
            del button.attrib["aria-label"]


def _keyboard_scroll(page: html.HtmlElement) -> None:
    """Code that scrolls sideways must be reachable by keyboard (WCAG 2.1.1)."""
    for block in page.xpath("//div/pre"):
        if "highlight" in block.getparent().classes:
            block.set("tabindex", "0")


def _name_chevrons(page: html.HtmlElement) -> None:
    """What unfolds an item of the sidebar is an icon only: say what it opens (WCAG 4.1.2)."""
    for chevron in page.xpath("//nav//details/summary[not(@aria-label)]"):
        title = " ".join(chevron.getparent().getparent().find("a").text_content().split())
        chevron.set("aria-label", f"Pages below: {title}")


def _name_sidebar(page: html.HtmlElement) -> None:
    """The sidebar's title and search button lie in no landmark otherwise."""
    for sidebar in page.xpath("//div[@id='pst-primary-sidebar']"):
        sidebar.set("role", "region")
        sidebar.set("aria-label", "Sidebar")


def _empty_headers(page: html.HtmlElement) -> None:
    """The corner of a table with headings in its first row and column is the heading of nothing."""
    for cell in page.xpath("//article//th[not(normalize-space() or .//img or .//svg)]"):
        cell.tag = "td"


def _whole_options(page: html.HtmlElement) -> None:
    """A line may not end behind an option's hyphens: code sees to it by itself (workshop.css), other text here."""
    for text in page.xpath(f"//main//text()[contains(., '-') and not({_NOT_PROSE})]"):
        parts = _OPTION.split(text)  # text, option, text, option, …, text
        if len(parts) == 1:
            continue
        spans = []
        for option, behind in zip(parts[1::2], parts[2::2], strict=True):
            spans.append(html.Element("span", {"class": "wk-option"}))
            spans[-1].text, spans[-1].tail = option, behind
        element = text.getparent()
        if text.is_tail:
            parent, place = element.getparent(), element.getparent().index(element) + 1
            element.tail = parts[0]
        else:
            parent, place = element, 0
            element.text = parts[0]
        parent[place:place] = spans


def _say_which_search(page: html.HtmlElement) -> None:
    """Tell the page's script that there is an index by section, or the reader that there is none."""
    if minisearch.missing() is None:
        page.set("data-search", "sections")
        return
    for box in page.xpath("//div[@id='search-results']"):
        note = html.Element("p")
        note.text = "This site was built without npm: a page is found only if it has all the words."
        box.addprevious(note)


def _bring_checker(page: html.HtmlElement) -> None:
    """Give *Check my job script* its program, or say why there is none; no other page has any of it."""
    for box in page.xpath("//div[contains(concat(' ', @class, ' '), ' wk-checker ')]"):
        if browser.missing() is None:
            box.set("data-bytes", str(browser.loaded()))
            address = f"../_static/{browser.FOLDER}/page.js"
            box.addnext(html.Element("script", {"src": address, "defer": "defer"}))
            continue
        for child in box:
            child.drop_tree()
        note = html.Element("p")
        note.text = "This site was built without npm, from which the checker's files come: there is none here. "
        note.text += "In a terminal, workshop check FILE says the same."
        box.append(note)


STEPS = (
    _lighten,
    _download_notebooks,
    _name_search_buttons,
    _keyboard_scroll,
    _name_chevrons,
    _name_sidebar,
    _empty_headers,
    _whole_options,
    _say_which_search,
    _bring_checker,
    home.edit_site_files,
)


class FinishedPages(BuiltinTemplateLoader):
    """Sphinx's templates (its setting ``template_bridge``): each whole page is finished before it is written.

    So a page that is not written again is not touched, and pages written side by side are finished side by side.
    """

    def init(self, builder: Builder, theme: Theme | None = None, dirs: list[str] | None = None) -> None:
        """Prepare for one build."""
        super().init(builder, theme, dirs)
        self._source_folder = f"{builder.srcdir}/"

    def render(self, template: str, context: dict) -> str:  # type: ignore[override]
        """The text that a template makes; themes ask for parts of pages in the same way."""
        text = super().render(template, context)
        if not text.lstrip().lower().startswith(_DOCTYPE):
            return text
        # literalinclude's diff names its two files by their whole path on the machine that builds.
        page = html.document_fromstring(text.replace(self._source_folder, ""))
        for step in STEPS:
            step(page)
        return html.tostring(page, encoding="unicode", doctype=_DOCTYPE)


def _read_side_by_side(app: Sphinx) -> None:
    """Let Sphinx read pages in several processes: one extension does not say that it may.

    It only replaces how sections are numbered, which Sphinx does when all pages are read, in one process.
    """
    if extension := app.extensions.get("sphinx_multitoc_numbering"):  # Jupyter Book's; plain Sphinx has none
        extension.parallel_read_safe = True


def _write_search(app: Sphinx, exception: Exception | None) -> None:
    """The index is made of the finished pages."""
    if exception is None and app.builder.format == "html" and minisearch.missing() is None:
        search.write(Path(app.outdir))


def _write_filled(app: Sphinx, exception: Exception | None) -> None:
    """The scripts for each cluster, which my_cluster.js shows."""
    if exception is None and app.builder.format == "html":
        filled.write(Path(app.outdir))


def _write_checker(app: Sphinx, exception: Exception | None) -> None:
    """The files that *Check my job script* loads, for a book that has this page."""
    has_page = app.builder.format == "html" and browser.PAGE in app.env.found_docs
    if exception is None and has_page and browser.missing() is None:
        browser.write(Path(app.outdir) / "_static" / browser.FOLDER)


def _code_version() -> int:
    """A number that changes with the code which makes pages: Sphinx then reads all of them again."""
    code = [*sorted(Path(__file__).parent.glob("*.py")), Path(sites.__file__)]
    state = (
        b"".join(path.read_bytes() for path in code)
        + f"{minisearch.missing() is None}{browser.missing() is None}".encode()
    )
    return int(hashlib.sha256(state).hexdigest()[:12], 16)


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
    app.add_directive("literalinclude", directives.ShownFile, override=True)
    app.add_directive("references", directives.References)
    measured.add_to(app)
    home.add_to(app)
    play.add_to(app)
    app.connect("build-finished", _write_search)
    app.connect("build-finished", _write_filled)
    app.connect("build-finished", _write_checker)
    _read_side_by_side(app)
    return {"version": "1", "env_version": _code_version(), "parallel_read_safe": True, "parallel_write_safe": True}
