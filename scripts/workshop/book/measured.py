"""Numbers in the text of pages, read from recorded measurements when the site is made.

    {measured}`speed_1gpu_h200.json: + torch.compile`             its median: 6657
    {measured-range}`speed_1gpu_h200.json: + torch.compile`       of all epochs: 6650 to 6664
    {measured-percent}`FILE: STAGE / STAGE`                       their ratio: 99 %
    {measured-times}`FILE: STAGE / STAGE`                         their ratio: 6.3

A file lies in book/data/. A stage may name another number of its row: ``STAGE @ images_per_s``.
"""

import json
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxRole

FOLDER = Path("book/data")
RATE = "steady_images_per_s"
KINDS = ("measured", "measured-range", "measured-percent", "measured-times")


def shown(root: Path, kind: str, text: str) -> str:
    """What a role shows; ``root``: of the repository or its copy.

    Raises:
        ValueError: with the reason, if the text names no number of a record.
    """
    file, _, expression = text.partition(": ")
    try:
        stages = json.loads((root / FOLDER / file).read_text(encoding="utf-8"))["stages"]
        values = [_number(stages, stage) for stage in expression.split(" / ")]
        if kind == "measured-range":
            return f"{_number(stages, expression, '_min')} to {_number(stages, expression, '_max')}"
    except (OSError, ValueError, KeyError) as error:
        raise ValueError(f"{kind}: no such number: {text!r} ({error})") from error
    if len(values) != (2 if kind in ("measured-percent", "measured-times") else 1):
        raise ValueError(f"{kind}: {len(values)} stages in {text!r}")
    if kind == "measured":
        return _with_commas(values[0])
    ratio = values[0] / values[1]
    return f"{100 * ratio:.0f} %" if kind == "measured-percent" else f"{ratio:.1f}"


def _number(stages: dict, stage: str, ending: str = "") -> int:
    name, _, key = stage.partition(" @ ")
    return round(stages[name][(key or RATE) + ending])


def _with_commas(value: int) -> str:
    return f"{value:,}" if value > 9999 else str(value)


class Measured(SphinxRole):
    """The roles above."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """A piece of text; the page is made anew when the record changes."""
        try:
            found = shown(Path(self.env.srcdir), self.name, self.text)
        except ValueError as error:
            message = self.inliner.reporter.error(str(error), line=self.lineno)
            return [self.inliner.problematic(self.rawtext, self.rawtext, message)], [message]
        self.env.note_dependency(str(FOLDER / self.text.partition(": ")[0]))
        return [nodes.Text(found)], []


def add_to(app: Sphinx) -> None:
    """Tell Sphinx of the roles."""
    for kind in KINDS:
        app.add_role(kind, Measured())
