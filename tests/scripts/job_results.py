"""What a training printed at its end, and whether two trainings ended alike."""

import json
import re
from pathlib import Path

import pytest


def result_of(text: str) -> dict[str, float]:
    """The numbers of the last ``result:`` line; the test fails where there is none."""
    lines = re.findall(r"^result: (.*)$", text, re.MULTILINE)
    assert lines, f"no result line in:\n{text}"
    return {name: float(value) for name, value in re.findall(r"(\w+)=([-\d.]+)", lines[-1])}


def assert_same_training(result: dict[str, float], expected: dict[str, float]) -> None:
    """Same losses and accuracy. The sum over ranks is taken in another order, hence the tolerance."""
    for name in ("train_loss", "val_loss", "val_accuracy"):
        assert result[name] == pytest.approx(expected[name], abs=0.01), (name, result, expected)
    assert result["epochs"] == expected["epochs"]


def assert_scaling(log: str, path: Path) -> None:
    """The file has both kinds of scaling on 1, 2 and 4 ranks, and the log ends with the table."""
    rows = json.loads(path.read_text())["rows"]
    assert sorted((row["scaling"], row["ranks"], row["batch"]) for row in rows) == [
        ("strong", 1, 64), ("strong", 2, 64), ("strong", 4, 64),
        ("weak", 1, 64), ("weak", 2, 128), ("weak", 4, 256),
    ]  # fmt: skip
    for ranks in (1, 2, 4):
        assert f"world_size={ranks} " in log
    assert len(re.findall(r"^ +[124] +\d+ +\d+ +\d+-\d+ +\d+\.\d\d +\d+% +\d+%$", log, re.MULTILINE)) == 6
