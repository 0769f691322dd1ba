"""Things to play with: ``{play} queue`` is a place on a page that ``book/static/play/queue.js`` fills in the browser.

What stands in the directive is what a page without JavaScript shows. No other page loads any of the files.
"""

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from workshop.paths import REPO

FOLDER = "play"  # below the site's _static
SCRIPTS = REPO / "book" / "static" / FOLDER
# Each is two files, NAME_model.js (what it computes; it also runs in Node.js, where the tests ask it) and NAME.js.
KINDS = ("queue", "ranks", "ring", "gpus")


def files(kind: str) -> list[str]:
    """What a page with this loads, in this order."""
    return [f"{FOLDER}/{name}.js" for name in ("common", f"{kind}_model", kind)]


class Play(SphinxDirective):
    """``{play} NAME`` with the text that stands there without JavaScript."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        kind = self.arguments[0]
        if kind not in KINDS:
            raise self.error(f"play: nothing is called '{kind}'; there are {', '.join(KINDS)}")
        if not self.content:
            raise self.error(f"play {kind}: needs the text that stands there without JavaScript")
        inside = nodes.Element()
        inside.document = self.state.document
        self.state.nested_parse(self.content, self.content_offset, inside)
        start = nodes.raw("", f'<div class="wk-play" data-play="{kind}">', format="html", play=kind)
        return [start, *inside.children, nodes.raw("", "</div>", format="html")]


def _load(app: Sphinx, page: str, template: str, context: dict[str, Any], document: nodes.document | None) -> None:
    """Let this page load what it plays with, and nothing where it does not."""
    kinds = [node["play"] for node in document.findall(nodes.raw) if "play" in node] if document else []
    if kinds:
        app.add_css_file(f"{FOLDER}/play.css")
    for name in dict.fromkeys(name for kind in kinds for name in files(kind)):
        app.add_js_file(name, defer="defer")


def add_to(app: Sphinx) -> None:
    """Tell Sphinx of the directive, and of the files that its pages load."""
    app.add_directive("play", Play)
    app.connect("html-page-context", _load)
