"""A batch in pieces under DDP, with one all-reduce instead of one for each piece, and the same weights.

torchrun --standalone --nproc-per-node 2 scripts/train/accumulate.py

It trains the course's network three times with the same batches: whole, in pieces of which each is synchronized,
and in pieces of which only the last one is. It counts DDP's all-reduces and compares the weights at the end.
"""

import argparse
from contextlib import nullcontext

import torch
import torch.nn.functional as F
from torch.distributed.algorithms.ddp_comm_hooks.default_hooks import allreduce_hook

import data
import launch
import models
import options


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    option = parser.add_argument
    option("--pieces", type=options.at_least(1), default=4, metavar="N", help="pieces of a rank's batch (default: 4)")
    option("--steps", type=options.at_least(1), default=6, metavar="N", help="steps of each training (default: 6)")
    option("--batch-size", type=options.at_least(1), default=64, metavar="N", help="images a step, total (default: 64)")
    option("--clip", type=options.positive, default=1.0, metavar="NORM", help="longest gradient (default: 1)")
    option("--timeout", type=options.positive, default=300, metavar="S", help="wait for other ranks (default: 300 s)")
    return parser.parse_args()


def step(model, optimizer, images, labels, pieces: int, clip: float, scaler, each: bool = False) -> torch.Tensor:
    """One step of the optimizer on a rank's batch, which goes through the DDP model in ``pieces``.

    Returns the mean loss of the batch on this rank; ``each``: all-reduce after each piece, as without no_sync().
    """
    optimizer.zero_grad()  # once a step: backward() adds to what is there
    total = 0.0
    # Not chunk(): of 8 images it makes 4 pieces where 5 are asked for.
    parts = list(zip(images.tensor_split(pieces), labels.tensor_split(pieces), strict=True))
    for number, (some, answers) in enumerate(parts, 1):
        # The forward pass stands inside, too: it is there that DDP prepares the all-reduce.
        with nullcontext() if each or number == len(parts) else model.no_sync():
            # Divided by the whole batch, so that each image counts the same in a smaller piece.
            loss = F.cross_entropy(model(some), answers, reduction="sum") / len(labels)
            scaler.scale(loss).backward()
        total += loss.detach()
    scaler.unscale_(optimizer)  # before anybody looks at the gradients
    torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
    scaler.step(optimizer)
    scaler.update()
    return total


def trained(batches, network, device, args, pieces: int, each: bool = False) -> tuple[torch.nn.Module, int]:
    """``network`` after a step on each of ``batches``, and the number of all-reduces that DDP asked for."""
    count = 0

    def counting(group, bucket):
        nonlocal count
        count += 1
        return allreduce_hook(group, bucket)

    model = models.lean_ddp(network, device)
    model.register_comm_hook(None, counting)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    scaler = torch.amp.GradScaler(device.type, enabled=False)  # enabled with float16 only
    for images, labels in batches:
        step(model, optimizer, images, labels, pieces, args.clip, scaler, each)
    return network, count


def main() -> None:
    args = parse_arguments()
    me, device = launch.init(args.timeout)
    if args.batch_size % me.world_size:
        raise SystemExit(f"--batch-size {args.batch_size} is not a multiple of {me.world_size} processes")
    rank_batch = args.batch_size // me.world_size
    if args.pieces > rank_batch:
        raise SystemExit(f"--pieces {args.pieces}: a rank has {rank_batch} images only, take a larger --batch-size")
    train_set, _ = data.load("digits")
    mine = torch.arange(me.rank, args.steps * args.batch_size, me.world_size)  # this rank's images, in all steps
    images, labels = (part.to(device) for part in train_set[(mine % len(train_set)).tolist()])
    batches = list(zip(images.double().split(rank_batch), labels.split(rank_batch), strict=True))

    results = []
    for pieces, each in ((1, True), (args.pieces, True), (args.pieces, False)):
        torch.manual_seed(1)
        network = models.build("cnn", train_set.shape, train_set.classes).to(device).double()
        results.append(trained(batches, network, device, args, pieces, each))
    whole, all_reduces = results[0]
    if me.rank == 0:
        print(f"{args.steps} steps, whole batches: {all_reduces} all-reduces")
        for (network, all_reduces), how in zip(results[1:], ("each synchronized", "with no_sync()"), strict=True):
            gap = max((a - b).abs().max().item() for a, b in zip(network.parameters(), whole.parameters(), strict=True))
            equal = "the same to 1e-12" if gap < 1e-12 else f"WRONG, they differ by {gap:.1e}"
            print(f"{args.pieces} pieces, {how}: {all_reduces} all-reduces, weights {equal}", flush=True)
    launch.finish()


if __name__ == "__main__":
    main()
