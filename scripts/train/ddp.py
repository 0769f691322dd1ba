"""Train on several devices of one or more nodes: DistributedDataParallel (DDP), one process for each device.

torchrun --standalone --nproc-per-node 2 scripts/train/ddp.py
"""

import argparse
import time

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler, Subset

import data
import launch
import metrics
import models
import options


def parse_arguments() -> argparse.Namespace:
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(usage="%(prog)s [options]", description=__doc__, formatter_class=form)
    option = parser.add_argument_group("training").add_argument
    option("--epochs", type=options.at_least(1), default=10, metavar="N", help="default: 10")
    option("--batch-size", type=options.at_least(1), default=64, metavar="N", help="images a step, total (default: 64)")
    option("--lr", type=options.positive, default=0.05, help="learning rate at the start (default: 0.05)")
    option("--seed", type=int, default=1, help="of weights and order of images (default: 1)")
    option("--workers", type=options.at_least(0), default=0, metavar="N", help="processes that load data (default: 0)")
    option("--timeout", type=options.positive, default=300, metavar="S", help="wait for other ranks (default: 300 s)")
    data.add_options(parser)
    models.add_options(parser)
    metrics.add_options(parser, name="ddp")
    return parser.parse_args()


def train(model, batches, optimizer, device) -> float:
    """One pass over ``batches``; returns the mean loss of an image."""
    model.train()
    total = torch.zeros(2, dtype=torch.float64, device=device)  # losses, images
    for images, labels in batches:
        images, labels = images.to(device), labels.to(device)
        loss = F.cross_entropy(model(images), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total[0] += loss.detach().double() * len(labels)  # on the device: no waiting
        total[1] += len(labels)
    dist.all_reduce(total)  # sums, not means: the mean of means is wrong where shares differ
    return (total[0] / total[1]).item()


@torch.no_grad()
def validate(model, batches, device) -> tuple[float, float]:
    """Mean loss and accuracy over ``batches``."""
    model.eval()
    total = torch.zeros(3, dtype=torch.float64, device=device)  # losses, right, images
    for images, labels in batches:
        images, labels = images.to(device), labels.to(device)
        scores = model(images)
        losses = F.cross_entropy(scores, labels, reduction="none")
        correct = scores.argmax(dim=1) == labels
        total[:2] += torch.stack([losses.double().sum(), correct.double().sum()])
        total[2] += len(labels)
    dist.all_reduce(total)
    return (total[0] / total[2]).item(), (total[1] / total[2]).item()


def main() -> None:
    args = parse_arguments()
    me, device = launch.init(args.timeout)
    if me.rank == 0:
        print(launch.first_line(me, device), flush=True)
    if args.batch_size % me.world_size:
        raise SystemExit(f"--batch-size {args.batch_size} is not a multiple of {me.world_size} processes")

    train_set, val_set = data.from_options(args)
    sampler = DistributedSampler(train_set, me.world_size, me.rank, seed=args.seed)
    rank_batch = args.batch_size // me.world_size
    train_batches = DataLoader(train_set, rank_batch, sampler=sampler, num_workers=args.workers)
    # Every image is validated once: a DistributedSampler would repeat some
    # to make the shares equal.
    val_share = Subset(val_set, range(me.rank, len(val_set), me.world_size))
    val_batches = DataLoader(val_share, rank_batch)

    torch.manual_seed(args.seed)
    model = models.from_options(args, train_set).to(device)
    model = DistributedDataParallel(model, device_ids=[device.index] if device.type == "cuda" else None)
    torch.manual_seed(args.seed + 1000 * me.rank)  # equal weights, but not equal dropout
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=0.9)
    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, models.cosine(args.epochs))
    run = metrics.Run(args, me.rank, device=device)

    for epoch in range(args.epochs):
        sampler.set_epoch(epoch)  # a new order in each epoch, the same on all ranks
        train_set.set_epoch(epoch)  # and a new augmentation
        start = time.perf_counter()
        train_loss = train(model, run.bar(train_batches, epoch), optimizer, device)
        seconds = time.perf_counter() - start
        models.share_buffers(model.module)  # BatchNorm's averages: those that are saved
        # Without DDP's wrapper: ranks may have different numbers of batches here, and DDP would wait.
        val_loss, val_accuracy = validate(model.module, val_batches, device)
        scheduler.step()
        values = {"train_loss": train_loss, "val_loss": val_loss, "val_accuracy": val_accuracy}
        run.epoch(epoch, len(train_set), seconds, values)
    run.result()
    launch.finish()


if __name__ == "__main__":
    main()
