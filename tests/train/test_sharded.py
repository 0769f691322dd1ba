"""FSDP and checkpoints in pieces: what each rank keeps, stopped and killed runs, other numbers of ranks, damage."""

import argparse
import json
import os
import re
import shutil
import signal
from pathlib import Path

import pytest
import torch
import torch.nn.functional as F
from torch.distributed.checkpoint.format_utils import dcp_to_torch_save
from torch.utils.data import DataLoader, DistributedSampler

import data
import sharded
import train_hold
import transformer

EPOCHS, STEPS_AN_EPOCH, TORN = 2, 4, 6
# Dropout makes the random numbers matter. 61 images: 48 to learn, 13 to validate, so one rank alone has the last one.
SMALL = ("--samples", 61, "--batch-size", 12, "--depth", 2, "--check-every", 1, "--timeout", 60)
OPTIONS = (*SMALL, "--dropout", 0.3, "--checkpoint-every", 1, "--keep", 99, "--epochs", EPOCHS)
EXACT = (*SMALL, "--no-bf16", "--clip", 0.1)  # shorter than any gradient of theirs


def weights(folder: Path) -> dict[str, torch.Tensor]:
    """Weights and optimizer state of the last checkpoint of a run, put together from its pieces."""
    last = max(folder.glob("runs/fsdp/checkpoints/step-*"), key=lambda path: path.stat().st_mtime_ns)
    dcp_to_torch_save(last, folder / "whole.pt")
    whole = torch.load(folder / "whole.pt", weights_only=True)
    found = whole["model"]
    for name, kinds in whole["optimizer"]["state"].items():
        found |= {f"{name} {kind}": value for kind, value in kinds.items()}
    return found


def losses(folder: Path) -> list[tuple[float, float]]:
    """Mean losses of each epoch: of training, of validation."""
    rows = map(json.loads, (folder / "runs" / "fsdp" / "metrics.jsonl").read_text().splitlines())
    return [(row["train_loss"], row["val_loss"]) for row in rows]


@pytest.fixture(scope="module")
def undisturbed(forks, once) -> Path:
    """A run of two ranks that nobody disturbs."""

    def run(folder: Path) -> None:
        done = forks.run("fsdp.py", *OPTIONS, ranks=2, cwd=folder)
        assert done.status == 0, done.err
        (folder / "said").write_text(done.out)

    return once("fsdp", run)


def test_it_learns_the_digits(train):
    done = train("fsdp.py", "--depth", 2, "--epochs", 6, "--batch-size", 96, "--lr", 0.005, ranks=2)
    assert done.status == 0 and done.err == "", done.err
    assert done.result["val_accuracy"] > 0.85


def kept(said: str) -> dict[str, tuple[int, int]]:
    """Bytes that rank 0 keeps, and of how many, by what they are."""
    line = next(line for line in said.splitlines() if line.startswith("rank 0 keeps, in bytes: "))
    return {kind: (int(mine), int(whole)) for kind, mine, whole in re.findall(r"(\w+) (\d+) of (\d+)", line)}


def test_each_of_two_ranks_keeps_half_of_everything(undisturbed):
    found = kept((undisturbed / "said").read_text())
    whole = found["weights"][1]
    assert found == {
        "weights": (whole // 2, whole),
        "gradients": (whole // 2, whole),
        "optimizer": (whole, 2 * whole),  # Adam's two moments
    }
    assert whole == 4 * sum(value.numel() for name, value in weights(undisturbed).items() if " " not in name)


@pytest.mark.parametrize("way", ["TERM", "KILL"])
def test_what_stops_a_run_does_not_change_its_end(forks, train, undisturbed, tmp_path, way):
    signs, folder = tmp_path / "signs", tmp_path / "runs" / "fsdp"
    signs.mkdir()
    hold = train_hold.at_checkpoint(TORN, signs)
    run = forks.start("fsdp.py", *OPTIONS, ranks=2, cwd=tmp_path, streams=[tmp_path / "log"], before=hold)
    run.wait_for((signs / "held").exists)
    if way == "TERM":
        run.signal(1, signal.SIGTERM)
        (signs / "go").touch()
        assert run.wait(60) == [0, 0], run.said()
        assert (folder / "REQUEUE").read_text() == f"SIGTERM at step {TORN + 1}\n"
        goes_on_from = TORN + 1
    else:
        run.kill(0, 1)
        assert run.wait(60) == [-9, -9]
        half_written = folder / "checkpoints" / f"step-{TORN:08d}.part"
        assert len(list(half_written.glob("*.distcp"))) == 2 and not (folder / "REQUEUE").exists()
        goes_on_from = TORN - 1
    again = train("fsdp.py", *OPTIONS, ranks=2)
    assert again.status == 0, again.err
    assert f"checkpoint: going on from runs/fsdp/checkpoints/step-{goes_on_from:08d}\n" in again.out
    assert not list(folder.glob("checkpoints/*.part")) and not (folder / "REQUEUE").exists()
    expected, found = weights(undisturbed), weights(tmp_path)
    assert expected.keys() == found.keys()
    assert not [name for name in expected if not torch.equal(expected[name], found[name])]
    assert losses(tmp_path) == losses(undisturbed)


@pytest.fixture(scope="module")
def one_epoch_of_two_ranks(forks, once) -> Path:
    def run(folder: Path) -> None:
        assert forks.run("fsdp.py", *EXACT, "--epochs", 1, ranks=2, cwd=folder).status == 0

    return once("fsdp-one-epoch", run)


@pytest.fixture(scope="module")
def one_process(forks, once) -> list[tuple[float, float]]:
    """Losses of two epochs in one process."""

    def run(folder: Path) -> None:
        # The learning rate of an epoch depends on their number: the first alone, as above.
        for epochs in (1, 2):
            assert forks.run("fsdp.py", *EXACT, "--epochs", epochs, cwd=folder).status == 0

    return losses(once("fsdp-one-process", run))


def test_two_ranks_train_like_a_plain_loop(one_epoch_of_two_ranks):
    """No FSDP, no ranks, no pieces: what the programs have in common is the model and the data."""
    folder = one_epoch_of_two_ranks
    args = argparse.Namespace(**json.loads((folder / "runs" / "fsdp" / "config.json").read_text()))
    images, _ = data.from_options(args)
    model = transformer.from_options(args, images)
    transformer.init_weights(model, args.seed, torch.device("cpu"))
    optimizer, seen, lengths = torch.optim.AdamW(model.parameters(), lr=args.lr), [], []
    order = DistributedSampler(images, num_replicas=1, rank=0, seed=args.seed)
    for pixels, labels in DataLoader(images, args.batch_size, sampler=order):
        loss = F.cross_entropy(model(pixels), labels)
        optimizer.zero_grad()
        loss.backward()
        lengths.append(torch.nn.utils.clip_grad_norm_(model.parameters(), args.clip).item())
        optimizer.step()
        seen.append(loss.item())
    assert len(seen) == STEPS_AN_EPOCH and min(lengths) > 2 * args.clip
    assert losses(folder)[0][0] == pytest.approx(sum(seen) / len(seen), rel=1e-4)
    found = weights(folder)
    for name, weight in model.named_parameters():
        # Averages of gradients: Adam's steps are as long for a gradient that is nothing but rounding.
        for kind in ("exp_avg", "exp_avg_sq"):
            expected = optimizer.state[weight][kind]
            gap = (found[f"{name} {kind}"] - expected).abs().max()
            assert gap <= 1e-3 * expected.abs().max() + 1e-9, f"{name} {kind}"


@pytest.mark.parametrize(("ranks", "more"), [(1, []), (3, ["--recompute"])])
def test_another_number_of_ranks_goes_on(train, one_epoch_of_two_ranks, one_process, tmp_path, ranks, more):
    shutil.copytree(one_epoch_of_two_ranks / "runs", tmp_path / "runs")
    done = train("fsdp.py", *EXACT, "--epochs", 2, *more, ranks=ranks)
    assert done.status == 0, done.err
    assert f"checkpoint: going on from runs/fsdp/checkpoints/step-{STEPS_AN_EPOCH:08d}\n" in done.out
    assert losses(tmp_path) == [pytest.approx(row, rel=1e-4) for row in one_process]
    for mine, whole in kept(done.out).values():
        assert mine == pytest.approx(whole / ranks, rel=0.03)


# What the page says of batches in pieces and of many nodes, on two nodes of two ranks.
WORKER = """
import argparse, json
import torch, torch.distributed as dist, torch.nn.functional as F
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard
from torch.distributed.tensor.debug import CommDebugMode
import data, launch, transformer
me, device = launch.init(120)
images, _ = data.load("digits")
pixels, labels = images[list(range(12))]
shape = {"width": 16, "depth": 2, "heads": 2, "patch": 4}
args = argparse.Namespace(**shape, dropout=0.0, recompute=False)
found = {}

def sharded(mesh):
    model = transformer.from_options(args, images)
    transformer.init_weights(model, 1, device)
    for part in [*model.blocks, model]:
        fully_shard(part, mesh=mesh)
    return model

def sent(step):
    with CommDebugMode() as seen:
        step()
    return {str(kind).split(".")[-1].strip("_"): count for kind, count in seen.get_comm_counts().items()}

def backward(model, part=slice(None)):
    (F.cross_entropy(model(pixels[part]), labels[part], reduction="sum") / len(labels)).backward()

def gradients(model):
    return [weight.grad.full_tensor() for weight in model.parameters()]

def gap(some, others):
    return max((a - b).abs().max().item() for a, b in zip(some, others))

alone = transformer.from_options(args, images)
transformer.init_weights(alone, 1, device)
backward(alone)
expected = [weight.grad for weight in alone.parameters()]

model = sharded(init_device_mesh(device.type, (4,)))
model.set_requires_gradient_sync(False)
found["first pieces"] = [sent(lambda: backward(model, slice(first, first + 4))) for first in (0, 4)]
model.set_requires_gradient_sync(True)
found["last piece"] = sent(lambda: backward(model, slice(8, 12)))
found["pieces differ by"] = gap(gradients(model), expected)

nodes = init_device_mesh(device.type, (2, 2), mesh_dim_names=("nodes", "gpus"))
model = sharded(nodes)
found["hybrid"] = sent(lambda: backward(model))
found["hybrid differs by"] = gap(gradients(model), expected)
weight = model.blocks[0].wide.weight
found["share"] = weight.numel() // weight.to_local().numel()
found["inside"] = dist.get_process_group_ranks(nodes.get_group(1))
if me.rank == 0:
    print("found", json.dumps(found))
launch.finish()
"""


def test_pieces_of_a_batch_and_hybrid_sharding(train, tmp_path):
    (tmp_path / "worker.py").write_text(WORKER)
    done = train(tmp_path / "worker.py", ranks=4)
    assert done.status == 0, done.err
    found = json.loads(done.out.split("found ")[1])
    assert not any("reduce_scatter_base" in piece for piece in found["first pieces"])
    assert found["last piece"]["reduce_scatter_base"] == 3 and found["pieces differ by"] < 1e-6
    # Two blocks and the rest: pieces are summed inside a node, then these sums between nodes.
    assert found["hybrid"]["reduce_scatter_base"] == found["hybrid"]["allreduce"] == 3
    assert found["share"] == 2 and found["inside"] == [0, 1] and found["hybrid differs by"] < 1e-6


def flip_a_byte(file: Path) -> None:
    with open(file, "r+b") as content:
        content.seek(file.stat().st_size // 2)
        byte = content.read(1)[0]
        content.seek(-1, os.SEEK_CUR)
        content.write(bytes([byte ^ 1]))


DAMAGE = {
    "__1_0.distcp is damaged: its checksum is wrong": lambda folder: flip_a_byte(folder / "__1_0.distcp"),
    "__0_0.distcp is torn: 1000 of ": lambda folder: os.truncate(folder / "__0_0.distcp", 1000),
    "__0_0.distcp: No such file or directory": lambda folder: (folder / "__0_0.distcp").unlink(),
    ".metadata: No such file or directory": lambda folder: (folder / ".metadata").unlink(),
    "it has no run.pt": lambda folder: (folder / "run.pt").unlink(),
    "run.pt cannot be read: ": lambda folder: os.truncate(folder / "run.pt", 500),
}


def test_damaged_checkpoints_are_named_and_left_and_the_one_before_is_taken(train, undisturbed, tmp_path):
    shutil.copytree(undisturbed / "runs", tmp_path / "runs")
    folders = sorted((tmp_path / "runs" / "fsdp" / "checkpoints").iterdir(), reverse=True)
    for damage, folder in zip(DAMAGE.values(), folders, strict=False):
        damage(folder)
    done = train("fsdp.py", *OPTIONS, "--keep", 1, ranks=2)
    assert done.status == 0, done.err
    lines = [line.replace("runs/fsdp/checkpoints/", "") for line in done.lines if line.startswith("checkpoint: ")]
    assert len(lines) == len(DAMAGE) + 1 and lines[-1] == f"checkpoint: going on from {folders[len(DAMAGE)].name}"
    for line, folder, reason in zip(lines, folders, DAMAGE, strict=False):
        assert line.startswith(f"checkpoint: skipping {folder.name}: {reason}")
    assert losses(tmp_path) == losses(undisturbed)
    left = set(folders[0].parent.iterdir())
    assert left >= set(folders[: len(DAMAGE)]), "somebody may need them"
    assert len(left) == len(DAMAGE) + 1, "of the good ones the newest"


def test_old_checkpoints_are_removed_without_reading_them(undisturbed, tmp_path, monkeypatch):
    """Rank 0 is alone with them. If it read pieces of terabytes, the others' limit for waiting would end the job."""
    shutil.copytree(undisturbed / "runs", tmp_path / "runs")
    run = tmp_path / "runs" / "fsdp"
    options = json.loads((run / "config.json").read_text())
    checkpoints = sharded.ShardedCheckpoints(run, options, 0, 2, None, names=transformer.SHAPE)
    newest, *older = checkpoints.files()
    os.truncate(older[0] / "__1_0.distcp", 100)
    checkpoints.known_good.add(newest)
    monkeypatch.setattr(sharded, "checksum", lambda file: pytest.fail(f"{file} was read"))
    checkpoints._prune()
    assert checkpoints.files() == [newest, older[0], older[1]], "the two good ones, and one that is torn"


def test_a_checkpoint_of_another_model_is_refused(train, undisturbed, tmp_path):
    shutil.copytree(undisturbed / "runs", tmp_path / "runs")
    done = train("fsdp.py", *OPTIONS, "--width", 32, "--epochs", 1)
    assert done.status == 0 and "of another run: width was 64, now it is 32" in done.out
    assert "starting from the beginning" in done.out


def test_a_rank_that_cannot_write_its_piece(train, tmp_path):
    done = train("fsdp.py", *SMALL, "--epochs", 1, ranks=2, before=train_hold.small_files_on(1, 50_000))
    folder = Path("runs") / "fsdp" / "checkpoints"
    where = f"cannot write {folder}/step-{STEPS_AN_EPOCH:08d}: File too large"
    assert f"checkpoint: {where}; older ones are untouched\n" in done.out, done.out + done.err
    assert done.status == 1 and "the last checkpoint could not be written" in done.err
    assert not list((tmp_path / folder).iterdir())


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--patch", 3), "--patch 3: images of 8 x 8 are no whole number"),
        (("--heads", 5), "--width 64 is not a multiple"),
    ],
)
def test_a_model_that_cannot_be_is_refused(train, words, why):
    done = train("fsdp.py", *words)
    assert done.status == 1 and why in done.err and "Traceback" not in done.err
