"""Is the training right? N ranks against one process: gradients, loss curves, shares of the data, validation.

The model has no BatchNorm: with it, each rank normalizes by its own images and the gradients differ by design.
"""

import importlib
import inspect
import json
import math

import one_device
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.utils.data import DataLoader, DistributedSampler

import data
import models
import restart
from train_running import Done

ALMOST_96 = 0.96
# The first draw of a property loads code, and other work on the machine counts too: no limit on a single one.
drawn = settings(deadline=None)
STAGES = {"one_device": 0, "data_parallel": 0, "ddp": 2, "ddp_resume": 2, "ddp_fast": 2}

# What three ranks compute, written to a file by rank 0: gradients, validation of any size, their view of the split.
WORKER = """
import torch, torch.distributed as dist, torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, Subset
import data, ddp, launch, models
me, device = launch.init(120)
torch.manual_seed(100 + me.rank)  # a split that used the global generator would differ now
train_set, val_set = data.load("digits")
views = [None] * me.world_size
dist.all_gather_object(views, (train_set.labels.tolist(), val_set.labels.tolist()))
torch.manual_seed(1)
plain = models.build("cnn", train_set.shape, train_set.classes)
model = DistributedDataParallel(plain)
images, labels = train_set.normalized(train_set.pixels[:48]), train_set.labels[:48]
mine = slice(me.rank, 48, me.world_size)
F.cross_entropy(model(images[mine]), labels[mine]).backward()
validation = {{}}
for size in {sizes}:
    some = val_set.part(torch.arange(size))
    share = Subset(some, range(me.rank, size, me.world_size))
    validation[size] = ddp.validate(plain, DataLoader(share, 16), device)
if me.rank == 0:
    found = {{"gradients": [p.grad for p in plain.parameters()], "validation": validation, "views": views}}
    torch.save(found, "out.pt")
launch.finish()
"""
SIZES = [*range(1, 11), 100, 373]


@pytest.fixture(scope="module")
def three_ranks(forks, once):
    def compute(folder):
        (folder / "worker.py").write_text(WORKER.format(sizes=SIZES))
        done = forks.run(folder / "worker.py", ranks=3, cwd=folder)
        assert done.status == 0, done.err

    return torch.load(once("three-ranks", compute) / "out.pt")


@pytest.fixture(scope="module")
def model_and_sets():
    train_set, val_set = data.load("digits")
    torch.manual_seed(1)
    return models.build("cnn", train_set.shape, train_set.classes), train_set, val_set


def test_gradients_of_three_ranks_equal_those_of_one_process(three_ranks, model_and_sets):
    model, train_set, _ = model_and_sets
    images, labels = train_set.normalized(train_set.pixels[:48]), train_set.labels[:48]
    gradients = torch.autograd.grad(torch.nn.functional.cross_entropy(model(images), labels), list(model.parameters()))
    for ours, theirs in zip(gradients, three_ranks["gradients"], strict=True):
        assert torch.allclose(ours, theirs, rtol=1e-4, atol=1e-6)
        assert ours.abs().max() > 1e-4, "a comparison of zeros proves nothing"


def test_validation_over_three_ranks_equals_one_process_for_any_size(three_ranks, model_and_sets):
    model, _, val_set = model_and_sets
    for size in SIZES:
        some = val_set.part(torch.arange(size))
        loss, accuracy = one_device.validate(model, DataLoader(some, 16), torch.device("cpu"))
        their_loss, their_accuracy = three_ranks["validation"][size]
        assert their_accuracy == accuracy, f"{size} images"
        assert math.isclose(their_loss, loss, rel_tol=1e-6), f"{size} images"


def test_all_ranks_have_the_same_split(three_ranks, model_and_sets):
    _, train_set, val_set = model_and_sets
    assert three_ranks["views"] == [(train_set.labels.tolist(), val_set.labels.tolist())] * 3


# --- each sample once


def epoch_of(size: int, ranks: int, epoch: int, batch: int, skip: int = 0) -> list[list[int]]:
    """What each rank sees of an epoch, as ddp_resume.py asks for it."""
    shares = []
    for rank in range(ranks):
        sampler = restart.ResumableSampler(range(size), ranks, rank, seed=1)
        sampler.set_position(epoch, skip)
        share = [index for indices in DataLoader(range(size), batch, sampler=sampler) for index in indices.tolist()]
        assert len(share) == len(sampler)
        shares.append(share)
    return shares


@drawn
@given(size=st.integers(1, 200), ranks=st.integers(1, 7), epoch=st.integers(0, 5))
def test_each_sample_is_seen_once_and_at_most_n_minus_1_are_repeated(size, ranks, epoch):
    seen = [index for share in epoch_of(size, ranks, epoch, batch=4) for index in share]
    assert set(seen) == set(range(size))
    assert len(seen) - size <= ranks - 1
    if size % ranks == 0:
        assert len(seen) == size


def test_the_order_changes_in_every_epoch():
    orders = [tuple(epoch_of(96, 2, epoch, batch=4)[0]) for epoch in range(5)]
    assert len(set(orders)) == 5


@drawn
@given(size=st.integers(8, 200), ranks=st.integers(1, 4), batches=st.integers(0, 20))
def test_a_resumed_epoch_is_the_rest_of_it_and_the_next_has_another_order(size, ranks, batches):
    whole = epoch_of(size, ranks, 3, batch=2)
    skip = min(2 * batches, len(whole[0]))
    assert epoch_of(size, ranks, 3, batch=2, skip=skip) == [share[skip:] for share in whole]
    if size // ranks > 20:
        assert epoch_of(size, ranks, 4, batch=2) != whole


@drawn
@given(ranks=st.sampled_from([1, 2, 4]), before=st.sampled_from([1, 2, 4]), steps=st.integers(0, 6))
def test_an_epoch_can_be_finished_by_another_number_of_ranks(ranks, before, steps):
    """The images of step k are the same for any number of ranks: so a job may come back with other GPUs."""
    size, global_batch = 48, 8

    def images_of_steps(n: int, first: int, last: int) -> set[int]:
        share = global_batch // n
        return {i for seen in epoch_of(size, n, 0, share) for i in seen[first * share : last * share]}

    seen_before = images_of_steps(before, 0, steps)
    skip = steps * global_batch // ranks
    seen_after = {i for share in epoch_of(size, ranks, 0, global_batch // ranks, skip=skip) for i in share}
    assert seen_before.isdisjoint(seen_after) and seen_before | seen_after == set(range(size))


def test_torchs_sampler_gives_what_one_process_takes():
    """one_device.py draws the same order as DistributedSampler: batches are the same in one or N processes."""
    order = torch.randperm(96, generator=torch.Generator().manual_seed(1 + 3)).tolist()
    shares = []
    for rank in range(2):
        sampler = DistributedSampler(range(96), 2, rank, seed=1)
        sampler.set_epoch(3)
        shares.append(list(sampler))
    assert [index for pair in zip(*shares, strict=True) for index in pair] == order


# --- whole runs


@pytest.fixture(scope="module")
def stage_runs(forks, once):
    """Every stage once, with its defaults, on the CPU, in one process or two: what it said, and its rows."""

    def compute(folder):
        for stage, ranks in STAGES.items():
            done = forks.run(f"{stage}.py", ranks=ranks, cwd=folder, before=forks.say_cpu_seconds)
            assert done.status == 0, done.err
            (folder / f"{stage}.json").write_text(json.dumps({"out": done.out, "err": done.err}))

    folder, runs = once("stages", compute), {}
    for stage in STAGES:
        found = json.loads((folder / f"{stage}.json").read_text())
        rows = [json.loads(line) for line in (folder / "runs" / stage / "metrics.jsonl").read_text().splitlines()]
        runs[stage] = (Done(0, **found), rows)
    return runs


@pytest.mark.slow
@pytest.mark.parametrize("stage", STAGES)
def test_every_stage_reaches_96_percent_within_a_minute(stage_runs, stage, say):
    """A minute of computing: how long it waits for other work on the machine says nothing about it."""
    done, rows = stage_runs[stage]
    seconds = [float(line.split()[-1]) for line in done.err.splitlines() if line.startswith("CPU seconds: ")]
    say(f"{stage}: val_accuracy={done.result['val_accuracy']} after {max(seconds):.1f} CPU seconds")
    assert done.result["val_accuracy"] >= ALMOST_96
    assert done.result["epochs"] == len(rows) == 10
    assert len(seconds) == (STAGES[stage] or 1) and 0 < max(seconds) < 60


@pytest.mark.slow
def test_two_ranks_train_like_one_process(stage_runs):
    """Same seed, same global batch: the curves agree to float32's rounding, which grows from epoch to epoch."""
    alone = stage_runs["one_device"][1]
    for stage in ("data_parallel", "ddp", "ddp_resume"):
        for ours, theirs in zip(alone, stage_runs[stage][1], strict=True):
            tolerance = 1e-5 if ours["epoch"] == 1 else 2e-3
            assert math.isclose(ours["train_loss"], theirs["train_loss"], rel_tol=tolerance, abs_tol=1e-4)
    for stage in STAGES:
        difference = stage_runs[stage][0].result["val_accuracy"] - alone[-1]["val_accuracy"]
        assert abs(difference) <= 0.01, f"{stage} differs by {difference}"
    losses = [row["train_loss"] for row in alone]
    assert losses[0] > 1 and losses[-1] < 0.05, "a flat curve would agree with anything"


@pytest.mark.slow
def test_first_and_last_lines(stage_runs):
    for stage, (done, rows) in stage_runs.items():
        backend = "gloo" if STAGES[stage] else "none"
        world = STAGES[stage] or 1
        assert done.lines[0] == f"backend={backend} world_size={world} device=cpu (no GPU is visible)"
        assert list(done.result) == ["val_accuracy", "val_loss", "train_loss", "images_per_s", "epochs"]
        assert done.result["val_accuracy"] == round(rows[-1]["val_accuracy"], 4)
        assert "batch/s" not in done.err, "no progress bar where stderr is no terminal"
        assert len([line for line in done.lines if line.startswith("epoch ")]) == 10, "one rank prints"


# --- BatchNorm: what is logged is what is saved


@pytest.fixture(scope="module")
def batch_norm_runs(forks, once):
    """Each program that saves, and ddp.py, with BatchNorm on two ranks: the folder of the runs."""

    def compute(folder):
        for stage in ("ddp", "ddp_resume", "ddp_fast"):
            done = forks.run(f"{stage}.py", "--batch-norm", "--epochs", 2, ranks=2, cwd=folder)
            assert done.status == 0, done.err

    return once("batch-norm", compute) / "runs"


def last_row(run) -> dict[str, float]:
    return json.loads((run / "metrics.jsonl").read_text().splitlines()[-1])


@pytest.mark.parametrize("stage", ["ddp_resume", "ddp_fast"])
def test_the_logged_accuracy_is_that_of_the_checkpoint(batch_norm_runs, model_and_sets, stage):
    """Ranks average over their own images: each would validate another model than the one that is saved."""
    _, train_set, val_set = model_and_sets
    run = batch_norm_runs / stage
    state = torch.load(restart.Checkpoints(run, {}, rank=1).files()[0], weights_only=True)
    network = models.build("cnn", train_set.shape, train_set.classes, batch_norm=True)
    network.load_state_dict(state["model"])
    assert not torch.equal(network.features[1].running_mean, torch.zeros(32))
    with torch.autocast("cpu", torch.bfloat16, enabled=stage == "ddp_fast"):
        loss, accuracy = one_device.validate(network, DataLoader(val_set, 32), torch.device("cpu"))
    row = last_row(run)
    assert accuracy == row["val_accuracy"] and math.isclose(loss, row["val_loss"], rel_tol=1e-2)


def test_ddp_logs_what_ddp_resume_saves(batch_norm_runs):
    """ddp.py saves nothing: it must have validated the same model."""
    ours, theirs = (last_row(batch_norm_runs / stage) for stage in ("ddp", "ddp_resume"))
    for name in ("train_loss", "val_loss", "val_accuracy"):
        assert ours[name] == theirs[name]


def test_no_step_waits_for_the_device():
    """A tensor made of a Python number is copied to the GPU while Python waits; .item() waits for the whole step."""
    for stage in STAGES:
        source = inspect.getsource(importlib.import_module(stage).train).split("for images, labels in batches:")[1]
        step = source.split("dist.all_reduce")[0].split("return")[0]
        assert "optimizer.step()" in step
        for waits in ("new_tensor(", "torch.tensor(", ".item()", ".cpu()", "synchronize("):
            assert waits not in step, f"{stage}: {waits}"
