"""Train a model of which each rank keeps a piece (FSDP2), with checkpoints in pieces. Start it again and it goes on.

torchrun --standalone --nproc-per-node 2 scripts/train/fsdp.py

It may go on with another number of ranks. For GPUs, 300 million parameters, random images (for timing only):
    --width 1024 --depth 24 --heads 16 --patch 16 --dataset synthetic --image-size 224 --recompute
SIGTERM or SIGUSR2: the step is finished, a checkpoint written, runs/NAME/REQUEUE left for the job script.
"""

import signal

if __name__ == "__main__":
    # From before the imports, which take seconds, a stop signal waits for StopSignal:
    # here, and in the processes that are started, such as compilers.
    signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGTERM, signal.SIGUSR2))

import argparse
import time
from pathlib import Path

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard
from torch.distributed.tensor import DTensor

import data
import launch
import metrics
import models
import options
import restart
import sharded
import transformer


def parse_arguments() -> argparse.Namespace:
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(usage="%(prog)s [options]", description=__doc__, formatter_class=form)
    option = parser.add_argument_group("training").add_argument
    option("--epochs", type=options.at_least(1), default=10, metavar="N", help="default: 10")
    option("--batch-size", type=options.at_least(1), default=48, metavar="N", help="images a step, total (default: 48)")
    option("--lr", type=options.positive, default=0.002, help="learning rate at the start (default: 0.002)")
    option("--clip", type=options.positive, default=1.0, help="longest gradient, all weights together (default: 1)")
    option("--seed", type=int, default=1, help="of weights and order of images (default: 1)")
    option("--workers", type=options.at_least(0), default=0, metavar="N", help="processes that load data (default: 0)")
    option("--timeout", type=options.positive, default=300, metavar="S", help="wait for other ranks (default: 300 s)")
    option("--no-bf16", dest="bf16", action="store_false", help="products in float32 instead of bfloat16")
    data.add_options(parser)
    transformer.add_options(parser)
    metrics.add_options(parser, name="fsdp")
    restart.add_options(parser)
    return parser.parse_args()


def shard(model: transformer.Transformer, device: torch.device, bf16: bool) -> None:
    """Leave each rank its piece of each weight: block by block, then the rest."""
    mesh = init_device_mesh(device.type, (dist.get_world_size(),))
    policy = MixedPrecisionPolicy()
    if bf16:  # the pieces themselves stay float32
        policy = MixedPrecisionPolicy(torch.bfloat16, reduce_dtype=torch.float32)
    for part in [*model.blocks, model]:
        fully_shard(part, mesh=mesh, mp_policy=policy)


def build(args, images: data.Images, device: torch.device) -> transformer.Transformer:
    """The sharded model with its first weights; no rank has memory for all of them."""
    with torch.device("meta"):  # shapes without memory
        model = transformer.from_options(args, images)
    shard(model, device, args.bf16)
    model.to_empty(device=device)  # memory for this rank's pieces
    transformer.init_weights(model, args.seed, device)
    return model


def train(model, batches, optimizer, device, clip, progress, after_step) -> float:
    """The rest of a pass over the data; returns the mean loss of an image in the whole pass."""
    model.train()
    total = progress.total  # sum of losses, number of images: also of the part before a restart
    for images, labels in batches:
        # From pinned memory: Python goes on, and has asked for the next weights when they are needed.
        images, labels = images.to(device, non_blocking=True), labels.to(device, non_blocking=True)
        loss = F.cross_entropy(model(images).float(), labels)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), clip)  # of the whole gradient, not of a piece
        optimizer.step()
        total[0] += loss.detach().double() * len(labels)  # on the device: no waiting
        total[1] += len(labels)
        progress.batch += 1
        progress.step += 1
        after_step()
    dist.all_reduce(total)  # sums, not means: the mean of means is wrong where shares differ
    return (total[0] / total[1]).item()


@torch.no_grad()
def validate(model, images: data.Images, batch_size: int, device) -> tuple[float, float]:
    """Mean loss and accuracy over ``images``, each counted once; ``batch_size``: of all ranks together.

    The ranks collect weights in each forward pass: all must make the same number of them. So one that has no image
    left in the last batch computes with the first one, and does not count it.
    """
    model.eval()
    rank, ranks = dist.get_rank(), dist.get_world_size()
    total = torch.zeros(3, dtype=torch.float64, device=device)  # losses, right, images
    for first in range(0, len(images), batch_size):
        mine = list(range(first, min(first + batch_size, len(images))))[rank::ranks]
        pixels, labels = images[mine or [0]]
        scores, labels = model(pixels.to(device)).float()[: len(mine)], labels.to(device)[: len(mine)]
        losses = F.cross_entropy(scores, labels, reduction="none")
        correct = scores.argmax(dim=1) == labels
        total[:2] += torch.stack([losses.double().sum(), correct.double().sum()])
        total[2] += len(mine)
    dist.all_reduce(total)
    return (total[0] / total[2]).item(), (total[1] / total[2]).item()


def memory_line(model, optimizer, device: torch.device) -> str:
    """Bytes of weights, gradients and optimizer state: this rank's pieces, and the whole of which they are pieces."""
    weights = list(model.parameters())
    moments = [value for state in optimizer.state.values() for value in state.values() if isinstance(value, DTensor)]
    kinds = {"weights": weights, "gradients": [w.grad for w in weights if w.grad is not None], "optimizer": moments}
    parts = []
    for kind, tensors in kinds.items():
        mine = sum(tensor.to_local().nbytes for tensor in tensors)
        parts.append(f"{kind} {mine} of {sum(tensor.nbytes for tensor in tensors)}")
    line = f"rank {dist.get_rank()} keeps, in bytes: {', '.join(parts)}"
    if device.type == "cuda":
        line += f"; at most {torch.cuda.max_memory_allocated(device)} in use so far"
    return line


def main() -> None:
    args = parse_arguments()
    me, device = launch.init(args.timeout)
    if me.rank == 0:
        print(launch.first_line(me, device), flush=True)
    if args.batch_size % me.world_size:
        raise SystemExit(f"--batch-size {args.batch_size} is not a multiple of {me.world_size} processes")

    models.set_deterministic(args.deterministic)
    train_set, val_set = data.from_options(args)
    sampler = restart.ResumableSampler(train_set, me.world_size, me.rank, seed=args.seed)
    rank_batch = args.batch_size // me.world_size
    own_random = torch.Generator()  # DataLoaders draw their workers' seeds from it: not from the saved state
    pinned = device.type == "cuda"
    train_batches = restart.SparingLoader(
        train_set, rank_batch, sampler=sampler, num_workers=args.workers, generator=own_random, pin_memory=pinned
    )
    model = build(args, train_set, device)
    torch.manual_seed(args.seed + 1000 * me.rank)  # each rank its own dropout
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)  # after fully_shard: its state is in pieces, too
    stop = restart.StopSignal(restart.control_group(), args.check_every)
    folder = Path(args.runs) / args.name
    checkpoints = sharded.ShardedCheckpoints(
        folder, vars(args), me.rank, args.keep, stop.group, names=transformer.SHAPE
    )
    progress = restart.Progress(total=torch.zeros(2, dtype=torch.float64, device=device))

    def save() -> None:
        """Write a checkpoint of this moment; all ranks call it, and each writes its piece."""
        if progress.step == 0:
            return  # nothing to keep yet
        total, random_states = progress.total.clone(), [None] * me.world_size
        dist.all_reduce(total)
        dist.all_gather_object(random_states, restart.random_state(device), group=stop.group)
        state = {"epoch": progress.epoch, "batch": progress.batch, "step": progress.step}
        checkpoints.save(model, optimizer, state | {"total": total.cpu(), "random": random_states}, progress.step)

    def after_step() -> None:
        if progress.step == first_step + 1 and me.rank == 0:
            print(memory_line(model, optimizer, device), flush=True)
        stop.check(progress.step)
        if args.checkpoint_every and progress.step % args.checkpoint_every == 0:
            save()

    if state := checkpoints.load(model, optimizer):
        restart.set_random_state(state["random"], me.rank, device)
        progress.epoch, progress.batch, progress.step = state["epoch"], state["batch"], state["step"]
        if me.rank == 0:  # the sum over all ranks: counted once
            progress.total += state["total"].to(device)
    first_step = progress.step
    run = metrics.Run(args, me.rank, first_epoch=progress.epoch, device=device)

    for epoch in range(progress.epoch, args.epochs):
        for group in optimizer.param_groups:
            group["lr"] = args.lr * models.cosine(args.epochs)(epoch)
        sampler.set_position(epoch, progress.batch * rank_batch)  # a new order in each epoch
        train_set.set_epoch(epoch)  # and a new augmentation
        own_random.manual_seed(args.seed + 1000 * me.rank + 1_000_000 * epoch)
        start, images_before = time.perf_counter(), progress.batch * args.batch_size
        try:
            stop.check_now()  # a signal may have come while the model was validated and saved
            batches = run.bar(train_batches, epoch)
            train_loss = train(model, batches, optimizer, device, args.clip, progress, after_step)
        except restart.Stopped as reason:
            if progress.batch and progress.step > first_step:  # else this state is on the disk
                save()
            if me.rank == 0:
                checkpoints.leave_marker(f"{reason} at step {progress.step}")
            run.close()
            break
        seconds = time.perf_counter() - start
        val_loss, val_accuracy = validate(model, val_set, args.batch_size, device)
        values = {"train_loss": train_loss, "val_loss": val_loss, "val_accuracy": val_accuracy}
        run.epoch(epoch, len(train_set) - images_before, seconds, values)
        progress.epoch, progress.batch = epoch + 1, 0
        progress.total.zero_()
        save()
    else:
        run.result()
    launch.finish()
    if checkpoints.failed:
        raise SystemExit(f"the last checkpoint could not be written: {checkpoints.failed}")


if __name__ == "__main__":
    main()
