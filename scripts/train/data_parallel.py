"""Train on all GPUs of one node with one process: DataParallel, shown so that you recognize and replace it.

python scripts/train/data_parallel.py

One Python process feeds every GPU: in each step it copies the weights to all of them, splits the
batch, and gathers the outputs on the first. Threads of one process wait for one another (the global
interpreter lock), the first GPU holds more than the others, and a second node cannot take part.
PyTorch's own advice is DistributedDataParallel, even on one node:
https://docs.pytorch.org/docs/stable/generated/torch.nn.DataParallel.html
"""

import argparse
import time

import torch
import torch.nn.functional as F
from torch.nn import DataParallel
from torch.utils.data import DataLoader, RandomSampler

import data
import metrics
import models
import options


def parse_arguments() -> argparse.Namespace:
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(usage="%(prog)s [options]", description=__doc__, formatter_class=form)
    option = parser.add_argument_group("training").add_argument
    option("--epochs", type=options.at_least(1), default=10, metavar="N", help="default: 10")
    option("--batch-size", type=options.at_least(1), default=64, metavar="N", help="images a step (default: 64)")
    option("--lr", type=options.positive, default=0.05, help="learning rate at the start (default: 0.05)")
    option("--seed", type=int, default=1, help="of weights and order of images (default: 1)")
    option("--workers", type=options.at_least(0), default=0, metavar="N", help="processes that load data (default: 0)")
    data.add_options(parser)
    models.add_options(parser)
    metrics.add_options(parser, name="data_parallel")
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
    return (total[0] / total[2]).item(), (total[1] / total[2]).item()


def main() -> None:
    args = parse_arguments()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    where = torch.cuda.get_device_name(device) if device.type == "cuda" else "no GPU is visible"
    print(f"backend=none world_size=1 device={device} ({where})", flush=True)

    train_set, val_set = data.from_options(args)
    sampler = RandomSampler(train_set, generator=torch.Generator())
    train_batches = DataLoader(train_set, args.batch_size, sampler=sampler, num_workers=args.workers)
    val_batches = DataLoader(val_set, args.batch_size)

    torch.manual_seed(args.seed)
    model = DataParallel(models.from_options(args, train_set).to(device))
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=0.9)
    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, models.cosine(args.epochs))
    run = metrics.Run(args, device=device)

    for epoch in range(args.epochs):
        sampler.generator.manual_seed(args.seed + epoch)  # a new order in each epoch
        train_set.set_epoch(epoch)  # and a new augmentation
        start = time.perf_counter()
        train_loss = train(model, run.bar(train_batches, epoch), optimizer, device)
        seconds = time.perf_counter() - start
        val_loss, val_accuracy = validate(model, val_batches, device)
        scheduler.step()
        values = {"train_loss": train_loss, "val_loss": val_loss, "val_accuracy": val_accuracy}
        run.epoch(epoch, len(train_set), seconds, values)
    run.result()


if __name__ == "__main__":
    main()
