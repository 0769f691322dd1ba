"""The training of ddp.py with Accelerate: the loop stays ours, prepare() distributes what it is given.

torchrun --standalone --nproc-per-node 2 scripts/train/with_accelerate.py
"""

import argparse

import torch
import torch.nn.functional as F
from accelerate import Accelerator
from torch.utils.data import DataLoader

import data
import models
import options


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    option = parser.add_argument
    option("--epochs", type=options.at_least(1), default=10, metavar="N", help="default: 10")
    option("--batch-size", type=options.at_least(1), default=64, metavar="N", help="images a step, total (default: 64)")
    option("--lr", type=options.positive, default=0.05, help="learning rate at the start (default: 0.05)")
    option("--seed", type=int, default=1, help="of weights and order of images (default: 1)")
    data.add_options(parser)
    models.add_options(parser)
    return parser.parse_args()


def main() -> None:
    args = parse_arguments()
    # Without a GPU and without cpu=True each rank would train alone, as a world of one.
    accelerator = Accelerator(cpu=not torch.cuda.is_available())
    if args.batch_size % accelerator.num_processes:
        raise SystemExit(f"--batch-size {args.batch_size} is not a multiple of {accelerator.num_processes} processes")
    rank_batch = args.batch_size // accelerator.num_processes
    train_set, val_set = data.from_options(args)
    torch.manual_seed(args.seed)
    model = models.from_options(args, train_set)
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=0.9)
    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, models.cosine(args.epochs))
    train_batches = DataLoader(train_set, rank_batch, shuffle=True)
    val_batches = DataLoader(val_set, rank_batch)
    # The scheduler is left out: prepared, it would move on once for each rank.
    model, optimizer, train_batches, val_batches = accelerator.prepare(model, optimizer, train_batches, val_batches)
    # The weights are equal on all ranks; dropout should not be.
    torch.manual_seed(args.seed + 1000 * accelerator.process_index)

    for _ in range(args.epochs):
        model.train()
        for images, labels in train_batches:  # already on the device; it tells train_set the epoch
            loss = F.cross_entropy(model(images), labels)
            optimizer.zero_grad()
            accelerator.backward(loss)
            optimizer.step()
        scheduler.step()
        model.eval()
        correct = seen = 0
        with torch.no_grad():
            for images, labels in val_batches:
                found = model(images).argmax(dim=1)
                # Collects from all ranks and drops what was repeated to make the shares equal.
                found, labels = accelerator.gather_for_metrics((found, labels))
                correct, seen = correct + (found == labels).sum().item(), seen + len(labels)
    accelerator.print(
        f"result: val_accuracy={correct / seen:.4f} val_images={seen} of {len(val_set)} epochs={args.epochs} "
        f"ranks={accelerator.num_processes}"
    )
    accelerator.end_training()


if __name__ == "__main__":
    main()
