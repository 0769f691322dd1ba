"""What a training printed at its end, and whether two trainings ended alike."""

import re

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
