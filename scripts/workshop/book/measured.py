"""Numbers in the text of pages, read from recorded measurements when the site is made.

    {measured}`speed_1gpu_h200.json: + torch.compile`             its median: 6657 (below 10 with a digit more: 1.3)
    {measured-tenths}`FILE: STAGE`                                always with that digit: 65.1
    {measured-range}`speed_1gpu_h200.json: + torch.compile`       of all epochs: 6650 to 6664
    {measured-percent}`FILE: STAGE / STAGE`                       their ratio: 99 %
    {measured-change}`FILE: STAGE / STAGE`                        the same as a change: +79 %
    {measured-times}`FILE: STAGE / STAGE`                         the same: 6.3
    {measured-ratio}`FILE: STAGE / STAGE`                         the same: 6.27

A file lies in book/data/. A stage may name another number of its row: ``STAGE @ images_per_s``, and a ratio's second
one a file of its own; ``/ 2`` at its end divides it by two, for the efficiency of two GPUs. The rows of measure_feed.py
and profile_input.py are stages, too (``2 workers``; ``one batch @ step_ms``), measure_cards.py's pieces, and those of
scaling.py: ``MODEL, weak, RANKS``, with a label ``MODEL, weak, RANKS, sockets``.
"""

import json
import statistics
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxRole

FOLDER = Path("book/data")
RATE = "steady_images_per_s"
RATIOS = {
    "measured-percent": lambda ratio: f"{100 * ratio:.0f} %",
    "measured-change": lambda ratio: f"{round(100 * ratio - 100):+d} %".replace("+0 %", "0 %"),
    "measured-times": lambda ratio: f"{ratio:.1f}",
    "measured-ratio": lambda ratio: f"{ratio:.2f}",
}
KINDS = ("measured", "measured-tenths", "measured-range", *RATIOS)
LONG = 115e6  # images of a long training: 90 epochs of ImageNet
GIB = 2**30


def shown(root: Path, kind: str, text: str) -> str:
    """What a role shows; ``root``: of the repository or its copy.

    Raises:
        ValueError: with the reason, if the text names no number of a record.
    """
    try:
        values = [_value(root, stage) for stage in _named(text)]
        if kind == "measured-range":
            return f"{_shown(_value(root, text, '_min'))} to {_shown(_value(root, text, '_max'))}"
    except (OSError, ValueError, KeyError) as error:
        raise ValueError(f"{kind}: no such number: {text!r} ({error})") from error
    if len(values) == 3 and kind in RATIOS and text.rpartition(" / ")[2].isdecimal():
        values[0] /= values.pop()
    if len(values) != (2 if kind in RATIOS else 1):
        raise ValueError(f"{kind}: {len(values)} stages in {text!r}")
    if kind in RATIOS:
        return RATIOS[kind](values[0] / values[1])
    return f"{values[0]:.1f}" if kind == "measured-tenths" else _shown(values[0])


def _named(text: str) -> list[str]:
    """``"r.json: a / b / 2"`` -> ``["r.json: a", "r.json: b", "2"]``: each number with its file."""
    first, *others = text.split(" / ")
    file = first.partition(": ")[0]
    return [first, *(o if ".json: " in o or o.isdecimal() else f"{file}: {o}" for o in others)]


def files(text: str) -> set[str]:
    """The records that a role's text names."""
    return {stage.partition(": ")[0] for stage in _named(text) if not stage.isdecimal()}


def _value(root: Path, text: str, ending: str = "") -> float:
    """The number that ``FILE: STAGE @ KEY`` names; a plain number is itself."""
    if text.isdecimal():
        return float(text)
    file, _, stage = text.partition(": ")
    name, _, key = stage.partition(" @ ")
    stages = _stages(json.loads((root / FOLDER / file).read_text(encoding="utf-8")))
    return stages[name][(key or RATE) + ending]


def _stages(record: dict) -> dict[str, dict]:
    """Name -> numbers of each row, whichever program has written the record."""
    stages = record.get("stages", {}) | record.get("pieces", {})
    for name, rates in record.get("images_per_s", {}).items():
        stages[name] = _spread(RATE, rates)
    for name, part in record.get("parts", {}).items():
        stages[name] = {RATE: part["images_per_s"]}
        for key, value in part.items():
            stages[name] |= _spread(key, value) if isinstance(value, list) else {key: value}
    for row in record.get("rows", []):
        stages[", ".join(filter(None, (row["model"], row["scaling"], str(row["ranks"]), row["label"])))] = _scaling(row)
    for name, part in record.get("transports", {}).items():
        stages[name] = part | {"waiting_percent": 100 * part["waiting_share"]}
    for row in record.get("batches", []):
        stages[f"batch {row['batch']}"] = {key: row[f"{key}_bytes"] / GIB for key in ("estimate", "measured")}
    return stages


def _scaling(row: dict) -> dict[str, float]:
    """Numbers of a row of scaling.py, and what the page computes from them: its estimate, hours of a long training."""
    step, alone = statistics.median(row["step_ms"]), statistics.median(row["step_without_all_reduce_ms"])
    rate, reduced = 1e3 * row["batch"] / step, row["all_reduce_ms"].get(str(row["gradient_bytes"]))
    sums = {} if reduced is None else {"all_reduce_ms": reduced, "estimated_wait_ms": max(0, reduced - 2 / 3 * alone)}
    return sums | {
        RATE: rate,
        "step_ms": step,
        "step_without_all_reduce_ms": alone,
        "wait_ms": step - alone,
        "waiting_percent": 100 * (1 - alone / step),
        "hours": LONG / rate / 3600,
        "gpu_hours": row["ranks"] * LONG / rate / 3600,
    }


def _spread(key: str, values: list[float]) -> dict[str, float]:
    return {key: statistics.median(values), f"{key}_min": min(values), f"{key}_max": max(values)}


def _shown(value: float) -> str:
    if value < 10:
        return f"{round(value, 1):g}"
    return f"{round(value):,}" if round(value) > 9999 else str(round(value))


class Measured(SphinxRole):
    """The roles above."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """A piece of text; the page is made anew when the record changes."""
        try:
            found = shown(Path(self.env.srcdir), self.name, self.text)
        except ValueError as error:
            message = self.inliner.reporter.error(str(error), line=self.lineno)
            return [self.inliner.problematic(self.rawtext, self.rawtext, message)], [message]
        for file in files(self.text):
            self.env.note_dependency(str(FOLDER / file))
        return [nodes.Text(found)], []


def add_to(app: Sphinx) -> None:
    """Tell Sphinx of the roles."""
    for kind in KINDS:
        app.add_role(kind, Measured())
