"""``best_run.py`` compares finished runs, shows what differs, and names the best one's options."""

import json
import subprocess
import sys

import pytest

from workshop.paths import REPO

PROGRAM = REPO / "scripts" / "train" / "best_run.py"


def write_run(folder, accuracy, loss, epochs=2, done=2, **options):
    """A run's folder as ``metrics.py`` leaves it, with ``done`` of ``epochs`` epochs."""
    folder.mkdir()
    config = {"epochs": epochs, "seed": 1, "name": folder.name, "runs": "runs", "data_dir": str(folder), **options}
    (folder / "config.json").write_text(json.dumps(config))
    rows = [{"epoch": n + 1, "val_accuracy": accuracy, "val_loss": loss} for n in range(done)]
    (folder / "metrics.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


def compare(*folders):
    return subprocess.run([sys.executable, PROGRAM, *folders], capture_output=True, text=True)


@pytest.fixture
def sweep(tmp_path):
    write_run(tmp_path / "a", 0.90, 0.30, lr=0.1, batch_size=32)
    write_run(tmp_path / "b", 0.95, 0.25, lr=0.1, batch_size=64)
    write_run(tmp_path / "c", 0.95, 0.20, lr=0.01, batch_size=32)
    return tmp_path


def test_best_by_accuracy_then_loss(sweep):
    done = compare(*sorted(sweep.iterdir()))
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].split() == ["val_accuracy", "val_loss", "lr", "batch_size", "run"]
    assert [line.split()[-1] for line in lines[1:4]] == ["c", "b", "a"]
    assert lines[-1] == "best: --lr 0.01 --batch-size 32"


def test_unfinished_runs_are_named_and_do_not_win(sweep):
    write_run(sweep / "d", 0.99, 0.01, done=1, lr=0.5, batch_size=32)
    (sweep / "e").mkdir()
    done = compare(*sorted(sweep.iterdir()))
    assert done.returncode == 0, done.stderr
    assert f"not finished: {sweep / 'd'}: 1 of 2 epochs" in done.stdout
    assert f"not finished: {sweep / 'e'}: no readable config.json" in done.stdout
    assert done.stdout.endswith("best: --lr 0.01 --batch-size 32\n")


def test_a_torn_last_line_is_not_an_epoch(sweep):
    path = sweep / "c" / "metrics.jsonl"
    path.write_text(path.read_text()[:-10])
    assert "1 of 2 epochs" in compare(*sorted(sweep.iterdir())).stdout


def test_nothing_to_compare(tmp_path):
    done = compare(tmp_path)
    assert done.returncode == 1
    assert done.stderr == "best_run: no finished run\n"
