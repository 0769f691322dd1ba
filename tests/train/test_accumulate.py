"""A batch in pieces trains like the whole one and is all-reduced once; clipping sees the true gradients."""

import json

import pytest

# What two ranks find out: all-reduces with the forward pass outside no_sync(), where gradients lie, and steps with and
# without a scaler.
WORKER = """
import argparse, json
import torch, torch.nn.functional as F
import accumulate, data, launch, models
me, device = launch.init(120)
train_set, _ = data.load("digits")
images, labels = train_set.normalized(train_set.pixels[:48]).double(), train_set.labels[:48]
mine = slice(me.rank, 48, me.world_size)
found = {}

def fresh():
    torch.manual_seed(1)
    return models.build("cnn", train_set.shape, train_set.classes).double()

sent = []
model = models.lean_ddp(fresh(), device)
model.register_comm_hook(None, lambda group, bucket: sent.append(1) or accumulate.allreduce_hook(group, bucket))
for some, answers in zip(images[mine].chunk(3), labels[mine].chunk(3)):
    loss = F.cross_entropy(model(some), answers)
    with model.no_sync():
        loss.backward()
found["forward_outside"] = len(sent)

model.zero_grad()
weights, made = list(model.parameters()), {}
for number, weight in enumerate(weights):
    weight.register_post_accumulate_grad_hook(lambda w, n=number: made.update({n: w.grad.data_ptr()}))
F.cross_entropy(model(images[mine]), labels[mine]).backward()
found["in_buckets"] = sum(w.grad.untyped_storage().nbytes() > w.grad.nbytes for w in weights) == len(weights)
found["copied_there"] = sum(made[n] != w.grad.data_ptr() for n, w in enumerate(weights)) == len(weights)

def lengths(clip, scaled):
    model = models.lean_ddp(fresh(), device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    scaler = torch.amp.GradScaler(device.type, enabled=scaled)
    accumulate.step(model, optimizer, images[mine], labels[mine], 3, clip, scaler)
    norm = torch.stack([p.grad.norm() for p in model.parameters()]).norm().item()
    return norm, [p.detach().clone() for p in model.parameters()]

found["free"], plain = lengths(1e9, False)
found["clipped"], weights = lengths(0.1, False)
found["clipped_scaled"], scaled = lengths(0.1, True)
found["scaled_differs"] = max((a - b).abs().max().item() for a, b in zip(weights, scaled))
found["clipping_changes"] = max((a - b).abs().max().item() for a, b in zip(weights, plain))
if me.rank == 0:
    print("found", json.dumps(found))
launch.finish()
"""


# 32 images in 7 7 6 6 6; 8 in 2 2 2 1 1; three times 500, which are more than there are.
@pytest.mark.parametrize(("pieces", "batch"), [(4, 64), (5, 64), (5, 16), (2, 500)])
def test_pieces_train_like_the_whole_batch_with_one_all_reduce_a_step(train, pieces, batch):
    done = train("accumulate.py", "--pieces", pieces, "--batch-size", batch, "--steps", 3, ranks=2)
    assert done.status == 0, done.err
    assert done.lines == [
        "3 steps, whole batches: 3 all-reduces",
        f"{pieces} pieces, each synchronized: {3 * pieces} all-reduces, weights the same to 1e-12",
        f"{pieces} pieces, with no_sync(): 3 all-reduces, weights the same to 1e-12",
    ]


def test_more_pieces_than_images_are_refused(train):
    done = train("accumulate.py", "--pieces", 9, "--batch-size", 16, ranks=2)
    assert done.status == 1 and "--pieces 9: a rank has 8 images only" in done.err


def test_forward_belongs_inside_and_the_scaler_is_taken_out_before_clipping(train, tmp_path):
    (tmp_path / "worker.py").write_text(WORKER)
    done = train(tmp_path / "worker.py", ranks=2)
    assert done.status == 0, done.err
    found = json.loads(done.out.removeprefix("found "))
    assert found["forward_outside"] == 3, "DDP decides in the forward pass"
    assert found["in_buckets"] and found["copied_there"], "models.lean_ddp says so"
    assert found["free"] > 0.2 and found["clipped"] == pytest.approx(0.1, rel=1e-4)
    assert found["clipped_scaled"] == pytest.approx(0.1, rel=1e-4)
    assert found["scaled_differs"] < 1e-12 < found["clipping_changes"]
