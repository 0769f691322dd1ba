"""Numbers in the text of pages, read from recorded measurements when the site is made.

    {measured}`speed_1gpu_h200.json: + torch.compile`             its median: 6657 (below 10 with a digit more: 1.3)
    {measured-range}`speed_1gpu_h200.json: + torch.compile`       of all epochs: 6650 to 6664
    {measured-percent}`FILE: STAGE / STAGE`                       their ratio: 99 %
    {measured-times}`FILE: STAGE / STAGE`                         their ratio: 6.3

A file lies in book/data/. A stage may name another number of its row: ``STAGE @ images_per_s``. The rows of
measure_feed.py and profile_input.py are stages, too (``2 workers``; ``one batch @ step_ms``), and measure_cards.py's
pieces.
"""

import json
import statistics
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
        stages = _stages(json.loads((root / FOLDER / file).read_text(encoding="utf-8")))
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


def _stages(record: dict) -> dict[str, dict]:
    """Name -> numbers of each row, whichever program has written the record."""
    stages = record.get("stages", {}) | record.get("pieces", {})
    for name, rates in record.get("images_per_s", {}).items():
        stages[name] = _spread(RATE, rates)
    for name, part in record.get("parts", {}).items():
        stages[name] = {RATE: part["images_per_s"]}
        for key, value in part.items():
            stages[name] |= _spread(key, value) if isinstance(value, list) else {key: value}
    return stages


def _spread(key: str, values: list[float]) -> dict[str, float]:
    return {key: statistics.median(values), f"{key}_min": min(values), f"{key}_max": max(values)}


def _number(stages: dict, stage: str, ending: str = "") -> float:
    name, _, key = stage.partition(" @ ")
    value = stages[name][(key or RATE) + ending]
    return round(value) if value >= 10 else round(value, 1)


def _with_commas(value: float) -> str:
    return f"{value:,}" if value > 9999 else f"{value:g}"


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
