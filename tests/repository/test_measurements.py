"""Numbers that a page quotes from recorded measurements stand in the record, in the right row.

In the tables they are read from there when the site is made (workshop.book.measured); what is tested is which ones.
"""

import itertools
import json
import re
import statistics

import pytest

from workshop.book import measured
from workshop.paths import REPO

ROLE = re.compile(r"\{(measured[a-z-]*)\}`([^`]+)`")
DATA = REPO / "book" / "data"


def rows(page: str, heading: str) -> list[list[str]]:
    """The cells of the table below this head row, without the row itself."""
    text = ROLE.sub(lambda role: measured.shown(REPO, role[1], role[2]), (REPO / "book" / page).read_text())
    table = text[text.index(heading) :].split("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table]


def number(cell: str) -> int:
    """A whole number, with a comma before each three digits from five digits on."""
    value = int(cell.replace(",", ""))
    assert cell == (f"{value:,}" if value > 9999 else str(value))
    return value


def record(name: str) -> dict:
    return json.loads((DATA / name).read_text())


def test_steps_of_one_gpu_are_those_of_the_record():
    """In its order, each change against the row above; the record ends with the bare loop, which is no step."""
    rates = [stage["steady_images_per_s"] for stage in record("ladder_1gpu_h200.json")["stages"].values()][:-1]
    table = rows("one_device.md", "| Program | Images/s | Change |")
    assert [number(row[1]) for row in table] == rates
    changes = [f"{round(100 * rate / before - 100):+d} %" for before, rate in itertools.pairwise(rates)]
    assert [row[2] for row in table] == ["", "", *changes[1:]]


def test_efficiencies_of_two_h200_are_those_of_the_records():
    """The plain program, then the fast one: not compiled, and compiled in three ways."""
    one = record("ladder_1gpu_h200.json")["stages"] | record("speed_1gpu_h200.json")["stages"]
    two = record("links_2gpus_h200.json")["pieces"] | record("scaling_2gpus_h200.json")["pieces"]
    names = (
        ("one_device", "data_parallel"),
        ("+ fused optimizer", "NVLink"),
        ("bare loop, compiled", "bare loop, compiled, 2"),
        ("+ torch.compile", "ddp_fast, compiled, 2"),
        ("JPEGs, decoded on the GPU, CUDA graphs", "JPEGs, CUDA graphs, 2"),
    )
    for row, (alone, both) in zip(rows("ddp_one_node.md", "| Program, on H200 | One GPU |"), names, strict=True):
        rates = [one[alone]["steady_images_per_s"], two[both]["steady_images_per_s"]]
        assert [number(cell) for cell in row[1:3]] == rates
        assert row[3] == f"{50 * rates[1] / rates[0]:.0f} %"


def test_what_the_page_says_of_a_profile_is_in_the_record():
    """Kernels that sending adds, and a convolution of the forward pass (fprop) that gets slower."""
    stages = record("gap_2gpus_h200.json")["stages"]
    quiet, sending = stages["no_sync, 2"], stages["ddp, 2"]
    kernel = next(name for name in quiet["longest"] if "cutlass_tensorop" in name and "fprop" in name)
    slower = sending["longest"][kernel][1] / quiet["longest"][kernel][1]
    text = (REPO / "book" / "ddp_one_node.md").read_text()
    assert f"the model's {sending['computing_kernels'] - quiet['computing_kernels']} tensors" in text
    assert f"its longest convolution by {100 * slower - 100:.0f} %" in text


@pytest.mark.parametrize(
    ("page", "heading"),
    [
        ("one_device.md", "| Program | Images/s | Of all epochs |"),
        ("one_device.md", "| Program | Images/s | Change |"),
        ("ddp_one_node.md", "| Program, on H200 | One GPU |"),
        ("ddp_one_node.md", "| Compiled step, on H200 | Step, ms |"),
        ("scaling.md", "| Model, weak scaling | GPUs |"),
        ("scaling.md", "| Model, strong scaling | GPUs |"),
        ("scaling.md", "| Path | All-reduce alone |"),
        ("scaling.md", "| Path | Step |"),
        ("scaling.md", "| Model, path | Step without"),
        ("scaling.md", "| ResNet-50 | GPUs | Hours |"),
        ("clusters.md", "| Batch | Estimate | Measured |"),
        ("feed_the_gpus.md", "| ResNet-50 on one H200 | Images/s |"),
    ],
)
def test_no_measured_number_of_a_table_is_typed(page: str, heading: str):
    """A record that changes changes the page. Typed are numbers of GPUs and images, and names."""
    text = (REPO / "book" / page).read_text()
    table = text[text.index(heading) :].split("\n\n")[0].splitlines()[2:]
    typed = [ROLE.sub("", cell) for line in table for cell in line.strip("|").split("|")[1:]]
    assert not [cell for cell in typed if re.search(r"(?<![A-Z])\d{3}|\d\.\d|\d %", cell)]


def test_transport_times_are_those_of_the_record():
    transports = record("transports_2gpus.json")["transports"]
    for row in rows("scaling.md", "| Path | Step |"):
        numbers = [float(re.match(r"[\d.]+", cell)[0]) for cell in row[1:]]
        measured = transports[row[0]]
        keys = ("step_ms", "step_without_all_reduce_ms", "all_reduce_ms")
        expected = [measured[key] for key in keys] + [100 * measured["waiting_share"]]
        assert numbers == pytest.approx(expected, abs=0.06)


def test_every_record_names_its_hardware_command_and_date():
    for path in DATA.glob("*.json"):
        data = json.loads(path.read_text())
        assert data["hardware"].get("gpus") or data["hardware"]["cpu"], path
        assert re.search(r"scripts/(train|ondemand)/", data["command"]), path
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


def scaling_rows(label: str, scaling: str) -> dict[tuple[str, int], dict]:
    """(model, GPUs) -> row of the record of four GPUs."""
    found = record("scaling_4gpus.json")["rows"]
    return {(row["model"], row["ranks"]): row for row in found if (row["label"], row["scaling"]) == (label, scaling)}


def rate_of(row: dict) -> float:
    """Images per second, the median of the repeats."""
    return 1e3 * row["batch"] / statistics.median(row["step_ms"])


@pytest.mark.parametrize("scaling", ["weak", "strong"])
def test_scaling_tables_are_those_of_the_record(scaling: str):
    recorded = scaling_rows("", scaling)
    quoted = rows("scaling.md", f"| Model, {scaling} scaling | GPUs |")
    assert [(row[0], int(row[1])) for row in quoted] == sorted(recorded, key=lambda key: (key[0] == "cnn", key[1]))
    for model, gpus, rate, speed_up, efficiency in quoted:
        measured = rate_of(recorded[model, int(gpus)])
        times = measured / rate_of(recorded[model, 1])
        assert number(rate) == round(measured)
        assert float(speed_up) == pytest.approx(times, abs=0.006)
        assert float(efficiency.rstrip(" %")) == pytest.approx(100 * times / int(gpus), abs=0.6)


def test_paths_between_gpus_are_those_of_the_record():
    for path, alone, resnet50, cnn, *waits in rows("scaling.md", "| Path | All-reduce alone |"):
        recorded = scaling_rows("" if path == "NVLink" else path, "weak")
        row = recorded["resnet50", 4]
        assert float(alone.split()[0]) == pytest.approx(row["all_reduce_ms"][str(row["gradient_bytes"])], abs=0.06)
        for model, rate, wait in (("resnet50", resnet50, waits[0]), ("cnn", cnn, waits[1])):
            row = recorded[model, 4]
            assert number(rate) == round(rate_of(row))
            step, without = (statistics.median(row[name]) for name in ("step_ms", "step_without_all_reduce_ms"))
            assert float(wait.rstrip(" %")) == pytest.approx(100 * (1 - without / step), abs=0.6)


def test_estimates_of_the_wait_are_those_of_the_rule():
    for name, without, estimated, waited in rows("scaling.md", "| Model, path | Step without"):
        model, path = name.split(", ")
        row = scaling_rows("" if path == "NVLink" else path, "weak")[model, 4]
        step, alone = (statistics.median(row[key]) for key in ("step_ms", "step_without_all_reduce_ms"))
        reduced = row["all_reduce_ms"][str(row["gradient_bytes"])]
        expected = (alone, max(0, reduced - 2 / 3 * alone), step - alone)
        assert [float(cell.split()[0]) for cell in (without, estimated, waited)] == pytest.approx(expected, abs=0.06)


def test_costs_are_computed_from_the_record():
    for name, gpus, hours, cost in rows("scaling.md", "| ResNet-50 | GPUs | Hours |"):
        row = scaling_rows("", "weak" if name == "on one GPU" else name)["resnet50", int(gpus)]
        expected = 115e6 / rate_of(row) / 3600
        assert float(hours) == pytest.approx(expected, abs=0.06)
        assert float(cost) == pytest.approx(int(gpus) * expected, abs=0.06)


def test_lines_of_programs_are_counted():
    """The last row of the table of frameworks."""
    table = rows("scaling.md", "| | `ddp.py` | Lightning | Accelerate |")
    files = ("ddp.py", "with_lightning.py", "with_accelerate.py")
    lines = [len((REPO / "scripts" / "train" / name).read_text().splitlines()) for name in files]
    assert [int(cell) for cell in table[-1][1:]] == lines
