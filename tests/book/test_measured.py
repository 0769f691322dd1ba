"""Numbers in pages come from the records, and change with them."""

import json
import re
import subprocess
import sys

import pytest

from workshop.book import measured
from workshop.paths import REPO

ROLE = re.compile(r"\{(measured[a-z-]*)\}`([^`]+)`")


def write(root, rate: float) -> None:
    """A record of two stages."""
    stages = {
        "a": {"steady_images_per_s": rate, "images_per_s": 7.0},
        "b: slow, 1 GPU": {"steady_images_per_s": 1000.0},
    }
    stages["a"] |= {"steady_images_per_s_min": rate - 1, "steady_images_per_s_max": rate + 1}
    (root / "book/data").mkdir(parents=True, exist_ok=True)
    (root / "book/data/r.json").write_text(json.dumps({"stages": stages}))


def test_a_role_shows_what_the_record_says(tmp_path):
    write(tmp_path, 9000)
    assert measured.shown(tmp_path, "measured", "r.json: a") == "9000"
    assert measured.shown(tmp_path, "measured", "r.json: a @ images_per_s") == "7"
    assert measured.shown(tmp_path, "measured-range", "r.json: a") == "8999 to 9001"
    assert measured.shown(tmp_path, "measured-percent", "r.json: b: slow, 1 GPU / a") == "11 %"
    assert measured.shown(tmp_path, "measured-times", "r.json: a / b: slow, 1 GPU") == "9.0"
    write(tmp_path, 12345)
    assert measured.shown(tmp_path, "measured", "r.json: a") == "12,345"
    assert measured.shown(tmp_path, "measured-times", "r.json: a / b: slow, 1 GPU") == "12.3"


def test_rows_of_an_input_and_pieces_are_stages_too(tmp_path):
    (tmp_path / "book/data").mkdir(parents=True)
    record = {"pieces": {"bare loop, compiled, 4": {"cards": 4, "steady_images_per_s": 27_000.0}}}
    record |= {"images_per_s": {"2 workers": [1300.0, 1200.0, 900.0]}}
    record["parts"] = {"reading": {"step_ms": [1.26, 1.28, 11.6], "images_per_s": 20.0, "answer_ms": 46.71}}
    (tmp_path / "book/data/r.json").write_text(json.dumps(record))
    assert measured.shown(tmp_path, "measured", "r.json: bare loop, compiled, 4") == "27,000"
    assert measured.shown(tmp_path, "measured", "r.json: 2 workers") == "1200"
    assert measured.shown(tmp_path, "measured-range", "r.json: 2 workers") == "900 to 1300"
    assert measured.shown(tmp_path, "measured", "r.json: reading @ step_ms") == "1.3"
    assert measured.shown(tmp_path, "measured-range", "r.json: reading @ step_ms") == "1.3 to 12"
    assert measured.shown(tmp_path, "measured-times", "r.json: 2 workers / reading") == "60.0"
    assert measured.shown(tmp_path, "measured", "r.json: reading @ answer_ms") == "47"


def test_ratios_of_two_records(tmp_path):
    write(tmp_path, 9000)
    (tmp_path / "book/data/s.json").write_text((tmp_path / "book/data/r.json").read_text())
    assert measured.shown(tmp_path, "measured-percent", "r.json: a / s.json: b: slow, 1 GPU / 10") == "90 %"
    assert measured.shown(tmp_path, "measured-ratio", "r.json: a / a / 4") == "0.25"
    assert measured.shown(tmp_path, "measured-change", "r.json: a / b: slow, 1 GPU") == "+800 %"
    assert measured.shown(tmp_path, "measured-change", "r.json: b: slow, 1 GPU / a") == "-89 %"
    assert measured.shown(tmp_path, "measured-change", "r.json: a / a @ steady_images_per_s_min") == "0 %"
    assert measured.files("r.json: a / s.json: b: slow, 1 GPU / 10") == {"r.json", "s.json"}


def test_rows_of_scaling_transports_and_memory(tmp_path):
    (tmp_path / "book/data").mkdir(parents=True)
    row = {"model": "cnn", "scaling": "weak", "ranks": 4, "label": "", "batch": 256, "gradient_bytes": 8}
    row |= {"step_ms": [20.0, 16.0, 18.0], "step_without_all_reduce_ms": [9.0], "all_reduce_ms": {"8": 7.5}}
    other = row | {"label": "sockets", "gradient_bytes": 4}
    record = {"rows": [row, other], "transports": {"NVLink": {"step_ms": 74.32, "waiting_share": 0.044}}}
    record["batches"] = [{"batch": 8, "estimate_bytes": 2**30, "measured_bytes": 3 * 2**29}]
    (tmp_path / "book/data/r.json").write_text(json.dumps(record))

    def tenths(text: str) -> str:
        return measured.shown(tmp_path, "measured-tenths", f"r.json: {text}")

    assert measured.shown(tmp_path, "measured", "r.json: cnn, weak, 4") == "14,222"  # 256 images in 18 ms
    named = ("all_reduce_ms", "wait_ms", "estimated_wait_ms", "waiting_percent", "hours", "gpu_hours")
    assert [tenths(f"cnn, weak, 4 @ {key}") for key in named] == ["7.5", "9.0", "1.5", "50.0", "2.2", "9.0"]
    assert tenths("cnn, weak, 4, sockets @ wait_ms") == "9.0"
    assert [tenths("NVLink @ step_ms"), tenths("NVLink @ waiting_percent")] == ["74.3", "4.4"]
    assert [tenths("batch 8 @ estimate"), tenths("batch 8 @ measured")] == ["1.0", "1.5"]


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("measured", "none.json: a"),
        ("measured-percent", "r.json: a / a / a"),
        ("measured-ratio", "r.json: a / none.json: a"),
        ("measured", "r.json: c"),
        ("measured", "r.json: a @ none"),
        ("measured", "r.json: a / a"),
        ("measured-percent", "r.json: a"),
        ("measured-range", "r.json: b: slow, 1 GPU"),
    ],
)
def test_what_is_in_no_record_ends_the_build(tmp_path, kind, text):
    write(tmp_path, 9000)
    with pytest.raises(ValueError, match=f"^{kind}: "):
        measured.shown(tmp_path, kind, text)


def test_all_roles_of_the_pages_find_their_numbers():
    found = [match for page in (REPO / "book").glob("*.md") for match in ROLE.findall(page.read_text())]
    assert len(found) > 10
    for kind, text in found:
        assert kind in measured.KINDS and measured.shown(REPO, kind, text)


def test_a_record_that_changes_changes_the_page(tmp_path):
    write(tmp_path, 9000)
    (tmp_path / "conf.py").write_text("extensions = ['myst_parser', 'workshop.book.sphinx_ext']\n")
    (tmp_path / "index.md").write_text("# Rates\n\n| A |\n|---|\n| {measured}`r.json: a` images/s |\n")
    assert made(tmp_path)[0] == "9000"
    write(tmp_path, 9500)
    page, warnings = made(tmp_path)
    assert page == "9500" and "measured:" not in warnings
    (tmp_path / "index.md").write_text("# Rates\n\n{measured}`r.json: c` images/s\n")
    assert "measured: no such number: 'r.json: c'" in made(tmp_path)[1]


def made(root) -> tuple[str, str]:
    """The number in the page that Sphinx makes, and its warnings: in the book they are errors.

    In a process of its own: extensions that other tests have loaded leave their parsers behind.
    """
    command = [sys.executable, "-m", "sphinx", "-q", "-b", "html", root, root / "out"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    text = re.sub(r"<[^>]*>", "", (root / "out" / "index.html").read_text())
    return re.search(r"(\S*) images/s", text)[1], done.stderr
