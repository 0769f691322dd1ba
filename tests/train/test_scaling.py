"""The program that measures scaling, and the training with a framework around it."""

import json

import pytest
import scaling

from workshop.paths import REPO

import train_hold

FRAMEWORKS = ["with_lightning.py", "with_accelerate.py"]


@pytest.fixture(scope="module")
def record() -> dict:
    return json.loads((REPO / "book" / "data" / "scaling_4gpus.json").read_text())


def test_the_record_is_what_the_program_writes(train, tmp_path, record):
    options = ("--dataset", "digits", "--seconds", "0.05", "--repeats", "2", "--out", tmp_path / "found.json")
    assert train("scaling.py", *options, ranks=2).status == 0
    again = train("scaling.py", *options, ranks=2)
    assert again.status == 0, again.err
    rows = json.loads((tmp_path / "found.json").read_text())["rows"]
    assert [(row["scaling"], row["ranks"], row["batch"]) for row in rows] == [("weak", 2, 128), ("strong", 2, 64)]
    assert set(rows[0]) == set(record["rows"][0])
    assert all(len(row["step_ms"]) == 2 and min(row["step_ms"]) > 0 for row in rows)


def test_loaded_images_are_measured_too(train, tmp_path):
    options = ("--workers", 1, "--batch-size", 16, "--seconds", "0.05", "--repeats", 1, "--out", tmp_path / "x.json")
    assert train("scaling.py", *options, "--bf16-gradients", ranks=2).status == 0


def test_few_images_a_step_are_measured_too(train, tmp_path):
    options = ("--batch-size", 2, "--seconds", "0.05", "--repeats", 1, "--out", tmp_path / "x.json")
    done = train("scaling.py", *options, ranks=2)
    assert done.status == 0, done.err


def test_the_table_compares_with_the_smallest_run():
    def row(ranks: int, milliseconds: float) -> dict:
        return {
            "scaling": "weak", "ranks": ranks, "nodes": 1, "batch": 64 * ranks, "model": "cnn", "label": "",
            "step_ms": [milliseconds] * 3, "step_without_all_reduce_ms": [4.0] * 3,
        }  # fmt: skip

    lines = scaling.table({"rows": [row(4, 5.0), row(2, 4.0)]}).splitlines()
    assert lines[2].split() == ["2", "128", "32000", "32000-32000", "2.00", "100%", "0%"]
    assert lines[3].split() == ["4", "256", "51200", "51200-51200", "3.20", "80%", "20%"]


def test_rows_of_other_options_are_not_mixed(train, tmp_path):
    path = tmp_path / "found.json"
    options = ("--dataset", "digits", "--batch-size", 16, "--seconds", "0.02", "--repeats", 1, "--out", path)
    assert train("scaling.py", *options).status == 0
    rows = json.loads(path.read_text())["rows"]
    done = train("scaling.py", *options, "--slow")
    assert done.status == 1 and "measured with other options: --dataset digits --batch-size 16\n" in done.err
    assert json.loads(path.read_text())["rows"] == rows
    again = train("scaling.py", *options[:4], "--steps", 4, "--repeats", 2, "--out", path)
    assert again.status == 0, f"the same, measured longer: {again.err}"
    assert train("scaling.py", *options, "--slow", "--label", "slow").status == 0
    assert len(json.loads(path.read_text())["rows"]) == 4


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("--slow --compile", "--slow is PyTorch as it comes: without --compile and --graphs"),
        ("--steps 3 --seconds 1", "argument --seconds: not allowed with argument --steps"),
    ],
)
def test_options_that_exclude_each_other_are_refused(monkeypatch, capsys, words, why):
    monkeypatch.setattr("sys.argv", ["scaling.py", *words.split()])
    with pytest.raises(SystemExit, match="2"):
        scaling.parse_arguments()
    assert capsys.readouterr().err.splitlines()[-1].endswith(f"error: {why}")


def test_numbers_of_two_machines_are_not_mixed(train, tmp_path):
    path = tmp_path / "found.json"
    path.write_text(json.dumps({"hardware": {"gpus": ["another"]}, "rows": []}))
    done = train("scaling.py", "--dataset", "digits", "--seconds", "0.02", "--repeats", 1, "--out", path)
    assert done.status != 0 and "choose another --out" in done.err


@pytest.mark.parametrize("program", FRAMEWORKS)
def test_frameworks_reach_what_ddp_reaches(train, tmp_path, program):
    options = ("--devices", 2) if program == "with_lightning.py" else ()
    done = train(program, "--epochs", 5, *options, ranks=2, before=train_hold.noting_epochs(tmp_path))
    assert done.status == 0, done.err
    for rank in range(2):  # else each epoch would have the first one's augmentation
        told = (tmp_path / f"epochs-{rank}").read_text().split()  # Accelerate tells the validation part, too
        assert list(dict.fromkeys(told)) == ["0", "1", "2", "3", "4"]
    assert done.out.count("result: ") == 1, "only one rank reports"
    assert float(done.out.split("val_accuracy=")[1].split()[0]) > 0.95
    # Lightning's own sampler repeats an image to make two equal shares of 373; Accelerate drops it again.
    seen = {"with_lightning.py": 374, "with_accelerate.py": 373}[program]
    assert f"val_images={seen} of 373" in done.out


def test_lightning_with_our_samplers_is_ddp(train):
    """The same order of images, each validated once: the same numbers to all printed digits."""
    theirs = train("with_lightning.py", "--epochs", 3, "--devices", 2, "--exact-validation", ranks=2)
    assert "val_images=373 of 373" in theirs.out, theirs.err
    ours = train("ddp.py", "--epochs", 3, ranks=2).result
    for name in ("val_accuracy", "val_loss", "train_loss"):
        assert float(theirs.out.split(f"{name}=")[1].split()[0]) == pytest.approx(ours[name], abs=2e-4), name
