"""Checkpoint files: torn, damaged and foreign ones are named and skipped; nothing good is lost when writing fails."""

import argparse
import os
import pty
import subprocess
import sys

import pytest
import torch
import torch.distributed as dist

import launch
import metrics
import restart
from train_running import TRAIN

OPTIONS = {"dataset": "digits", "model": "cnn", "batch_size": 64, "lr": 0.05, "seed": 1}


@pytest.fixture(scope="module", autouse=True)
def one_process():
    """The choice of a checkpoint is a collective: it needs a process group, be it of one."""
    before = sys.excepthook
    launch.init(30, launch.Launch("none"))
    yield
    dist.destroy_process_group()
    sys.excepthook = before


@pytest.fixture
def checkpoints(tmp_path):
    return restart.Checkpoints(tmp_path, OPTIONS)


def state(step: int) -> dict:
    return {"step": step, "model": {"weight": torch.full((100, 100), float(step))}}


def test_the_newest_is_taken(checkpoints, tmp_path):
    assert checkpoints.newest() is None
    for step in (9, 10, 100):
        checkpoints.write(state(step), step)
    assert checkpoints.newest()["step"] == 100
    assert [path.name for path in checkpoints.files()] == ["step-00000100.pt", "step-00000010.pt"], "two are kept"
    again = restart.Checkpoints(tmp_path, OPTIONS).newest()
    assert torch.equal(again["model"]["weight"], state(100)["model"]["weight"])


def spoil(path, how: str) -> None:
    content = path.read_bytes()
    if how == "torn":
        path.write_bytes(content[: len(content) // 2])
    elif how == "empty":
        path.write_bytes(b"")
    elif how == "one bit":
        middle = content.index(b"\x00\x00\x20\x41" * 100) + 40  # inside the tensor of 10.0
        path.write_bytes(content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :])
    elif how == "zeros":
        path.write_bytes(bytes(len(content)))
    elif how == "another program's":
        torch.save({"weights": torch.ones(3)}, path)
    elif how == "a pickle that runs code":
        path.write_bytes(b"cposix\nsystem\n(S'touch owned'\ntR.")
    elif how == "a folder":
        path.unlink()
        path.mkdir()


@pytest.mark.parametrize(
    "how", ["torn", "empty", "one bit", "zeros", "another program's", "a pickle that runs code", "a folder"]
)
def test_a_bad_file_is_named_skipped_and_left_alone(checkpoints, tmp_path, capsys, how, monkeypatch):
    monkeypatch.chdir(tmp_path)
    checkpoints.write(state(5), 5)
    checkpoints.write(state(10), 10)
    bad = checkpoints.folder / "step-00000010.pt"
    spoil(bad, how)
    before = None if bad.is_dir() else bad.read_bytes()
    fresh = restart.Checkpoints(tmp_path, OPTIONS)
    assert fresh.newest()["step"] == 5
    out = capsys.readouterr().out
    assert f"skipping {bad}: " in out and "going on from" in out
    fresh.write(state(10), 10)  # the same step again: another name
    assert (bad.is_dir() if before is None else bad.read_bytes() == before) and not (tmp_path / "owned").exists()
    assert fresh.newest()["step"] == 10
    fresh.write(state(15), 15)
    fresh.write(state(20), 20)
    assert bad.exists(), "making room does not remove it either"


@pytest.mark.parametrize(("name", "value"), [("model", "resnet50"), ("seed", 2), ("batch_size", 128)])
def test_a_checkpoint_of_other_options_is_another_runs(checkpoints, tmp_path, capsys, name, value):
    checkpoints.write(state(5), 5)
    other = restart.Checkpoints(tmp_path, OPTIONS | {name: value})
    assert other.newest() is None
    assert f"of another run: {name} was {OPTIONS[name]}, now it is {value}" in capsys.readouterr().out
    assert restart.Checkpoints(tmp_path, OPTIONS | {"epochs": 99}).newest()["step"] == 5, "--epochs may grow"


def test_left_overs_and_markers_of_a_killed_job_are_cleared(checkpoints, tmp_path):
    (checkpoints.folder / "step-00000003.tmp").write_bytes(b"half")
    checkpoints.leave_marker("SIGTERM at step 3")
    assert checkpoints.marker == tmp_path / "REQUEUE" and checkpoints.marker.read_text() == "SIGTERM at step 3\n"
    restart.Checkpoints(tmp_path, OPTIONS)
    assert not list(checkpoints.folder.glob("*.tmp")) and not checkpoints.marker.exists()


def test_other_ranks_write_nothing(tmp_path):
    restart.Checkpoints(tmp_path / "new", OPTIONS, rank=1)
    assert not (tmp_path / "new").exists()


def test_random_numbers_go_on(checkpoints):
    torch.manual_seed(3)
    saved, expected = restart.random_state(torch.device("cpu")), torch.rand(4)
    torch.manual_seed(99)
    restart.set_random_state([saved], 0, torch.device("cpu"))
    assert torch.equal(torch.rand(4), expected)
    restart.set_random_state([saved], 7, torch.device("cpu"))  # a rank that the older run did not have


# --- places where nothing can be written


@pytest.fixture
def small_disk(tmp_path):
    """A file system of 1.2 MB: room for two checkpoints of the small CNN, not for three."""
    place = tmp_path / "disk"
    place.mkdir()
    words = ["mount", "-t", "tmpfs", "-o", "size=1200k", "tmpfs", str(place)]
    mounted = os.geteuid() == 0 and subprocess.run(words, capture_output=True, check=False).returncode == 0
    yield place if mounted else None
    if mounted:
        subprocess.run(["umount", "-l", str(place)], check=True)


TINY = ("--samples", 400, "--epochs", 5, "--keep", 3)


# A file of at most so many bytes: the system's own refusal, in the same place as that of a full disk.
LIMITED = """
import resource, runpy, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, 300_000))
sys.path.insert(0, {folder!r})
runpy.run_path({folder!r} + "/ddp_resume.py", run_name="__main__")
"""


def test_a_full_disk_costs_no_good_checkpoint(train, small_disk, tmp_path):
    """Without the right to mount: a limit on the size of a file, which fails in the same place."""
    runs = small_disk or tmp_path / "runs"
    words = ("ddp_resume.py", *TINY, "--runs", runs)
    if small_disk:
        done = train(*words)
        reason = "No space left on device"
    else:
        assert train(*words, "--epochs", 2).status == 0
        (tmp_path / "limited.py").write_text(LIMITED.format(folder=str(TRAIN)))
        done = train(tmp_path / "limited.py", *words[1:])
        reason = "File too large"
    assert done.status == 1, done.out + done.err
    assert "Traceback" not in done.err
    assert f".pt: {reason}; older ones are untouched" in done.out
    assert "the last checkpoint could not be written" in done.err
    assert done.result["epochs"] == 5, "the training itself goes on"
    kept = restart.Checkpoints(runs / "ddp_resume", {}, rank=1)
    kept.identity = {}
    assert len(kept.files()) == 2 and not list(kept.folder.glob("*.tmp"))
    assert [kept.read(path)["epoch"] for path in kept.files()] == [2, 1]
    if small_disk:
        subprocess.run(["mount", "-o", "remount,size=20m", str(small_disk)], check=True)
    again = train(*words)
    assert again.status == 0 and "going on from" in again.out and "epoch 3/5" in again.out
    assert again.result["val_loss"] == done.result["val_loss"]


def test_an_unwritable_folder_is_refused_before_training(train, tmp_path):
    (tmp_path / "file").write_text("not a folder")
    for program, word in (("ddp_resume.py", "checkpoint"), ("one_device.py", "metrics")):
        done = train(program, "--runs", tmp_path / "file" / "runs")
        assert done.status == 1 and "Traceback" not in done.err
        assert f"{word}: cannot write into {tmp_path}/file/runs/" in done.err and "--runs DIR" in done.err
        assert "epoch 1/" not in done.out


# --- records


def arguments(folder) -> argparse.Namespace:
    return argparse.Namespace(runs=str(folder), name="x", epochs=3, dataset="digits")


def test_records_of_a_resumed_run_have_each_epoch_once(tmp_path, capsys):
    run = metrics.Run(arguments(tmp_path))
    for epoch in range(2):
        run.epoch(epoch, 100, 1.0, {"train_loss": 1.0, "val_loss": 1.0, "val_accuracy": 0.5})
    run.close()
    with open(tmp_path / "x" / "metrics.jsonl", "a") as file:
        file.write('{"epoch": 3, "train_l')  # torn by a kill
    run = metrics.Run(arguments(tmp_path), first_epoch=1)
    run.epoch(1, 100, 1.0, {"train_loss": 0.25, "val_loss": 1.0, "val_accuracy": 0.5})
    run.result()
    lines = (tmp_path / "x" / "metrics.jsonl").read_text().splitlines()
    assert [line[:30] for line in lines] == ['{"epoch": 1, "train_loss": 1.0', '{"epoch": 2, "train_loss": 0.2']
    assert capsys.readouterr().out.splitlines()[-1].startswith("result: val_accuracy=0.5000 val_loss=1.0000")


def test_tensorboard_can_read_them(tmp_path):
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    run = metrics.Run(arguments(tmp_path))
    run.epoch(0, 100, 1.0, {"train_loss": 1.5, "val_loss": 1.0, "val_accuracy": 0.5})
    run.close()
    events = EventAccumulator(str(tmp_path / "x"))
    events.Reload()
    assert [(event.step, event.value) for event in events.Scalars("train_loss")] == [(1, 1.5)]


def test_only_rank_0_shows_a_bar_and_only_on_a_terminal(tmp_path, monkeypatch):
    first, second = metrics.Run(arguments(tmp_path)), metrics.Run(arguments(tmp_path), rank=1)
    assert first.bar([1], 0).disable and second.bar([1], 0).disable, "pytest's stderr is no terminal"
    _, terminal = pty.openpty()
    with os.fdopen(terminal, "w") as screen:
        monkeypatch.setattr(sys, "stderr", screen)
        shown = first.bar([1], 0)
        assert not shown.disable and second.bar([1], 0).disable
        assert list(shown) == [1]
    first.close()
    assert not (tmp_path / "y").exists()
