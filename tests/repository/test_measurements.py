"""Numbers that a page quotes from recorded measurements stand in the record."""

import json
import re

import pytest

from workshop.paths import REPO

DATA = REPO / "book" / "data"


def rows(page: str, heading: str) -> list[list[str]]:
    """The cells of the table below this head row, without the row itself."""
    text = (REPO / "book" / page).read_text()
    table = text[text.index(heading) :].split("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table]


def record(name: str) -> dict:
    return json.loads((DATA / name).read_text())


@pytest.mark.parametrize(
    ("heading", "file"),
    [
        ("| Program | Images/s | Change |", "stages_1gpu.json"),
        ("| Program | Images/s | Against one GPU |", "stages_2gpus.json"),
    ],
)
def test_rates_are_those_of_the_record(heading: str, file: str):
    recorded = {round(stage["images_per_s"]) for stage in record(file)["stages"].values() if "images_per_s" in stage}
    quoted = {int(row[1]) for row in rows("one_device.md", heading)}
    assert quoted == recorded


def test_transport_times_are_those_of_the_record():
    transports = record("transports_2gpus.json")["transports"]
    for row in rows("one_device.md", "| Path | Step |"):
        numbers = [float(re.match(r"[\d.]+", cell)[0]) for cell in row[1:]]
        measured = transports[row[0]]
        keys = ("step_ms", "step_without_all_reduce_ms", "all_reduce_ms")
        expected = [measured[key] for key in keys] + [100 * measured["waiting_share"]]
        assert numbers == pytest.approx(expected, abs=0.06)


def test_every_record_names_its_hardware_command_and_date():
    for path in DATA.glob("*.json"):
        data = json.loads(path.read_text())
        assert data["hardware"]["gpus"], path
        assert "scripts/train/" in data["command"], path
        assert re.fullmatch(r"\d{4}-\d\d-\d\d", data["date"]), path


def test_memory_of_a_training_step_is_that_of_the_record():
    recorded = {row["batch"]: row for row in record("memory_1gpu.json")["batches"]}
    quoted = {int(row[0]): row for row in rows("clusters.md", "| Batch | Estimate | Measured |")}
    assert quoted.keys() == recorded.keys()
    for batch, row in quoted.items():
        for cell, key in zip(row[1:3], ("estimate_bytes", "measured_bytes"), strict=True):
            assert float(re.match(r"[\d.]+", cell)[0]) == round(recorded[batch][key] / 2**30, 1)


def test_the_table_of_gpus_has_what_the_program_compares_with():
    import sys

    sys.path.insert(0, str(REPO / "scripts" / "train"))
    import memory_estimate

    quoted = {name: row[1] for row in rows("clusters.md", "| GPU | Memory | Seen on |") for name in row[0].split(", ")}
    for names, size in memory_estimate.GPUS.items():
        for name in names.split(" or "):
            cell = next(memory for gpu, memory in quoted.items() if gpu.startswith(name))
            assert str(size) in re.findall(r"\d+", cell)
