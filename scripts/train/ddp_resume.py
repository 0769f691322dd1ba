"""Train with DDP, and survive: checkpoints, walltime limits, preemption. Start it again and it goes on.

torchrun --standalone --nproc-per-node 2 scripts/train/ddp_resume.py

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
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, Subset

import data
import launch
import metrics
import models
import options
import restart


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
    metrics.add_options(parser, name="ddp_resume")
    restart.add_options(parser)
    return parser.parse_args()


def train(model, batches, optimizer, device, progress, after_step) -> float:
    """The rest of a pass over the data; returns the mean loss of an image in the whole pass."""
    model.train()
    total = progress.total  # sum of losses, number of images: also of the part before a restart
    for images, labels in batches:
        images, labels = images.to(device), labels.to(device)
        loss = F.cross_entropy(model(images), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total[0] += loss.detach().double() * len(labels)  # on the device: no waiting
        total[1] += len(labels)
        progress.batch += 1
        progress.step += 1
        after_step()
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

    models.set_deterministic(args.deterministic)
    train_set, val_set = data.from_options(args)
    sampler = restart.ResumableSampler(train_set, me.world_size, me.rank, seed=args.seed)
    rank_batch = args.batch_size // me.world_size
    own_random = torch.Generator()  # DataLoaders draw their workers' seeds from it: not from the saved state
    train_batches = restart.SparingLoader(
        train_set, rank_batch, sampler=sampler, num_workers=args.workers, generator=own_random
    )
    # Every image is validated once: a DistributedSampler would repeat some
    # to make the shares equal.
    val_share = Subset(val_set, range(me.rank, len(val_set), me.world_size))
    val_batches = DataLoader(val_share, rank_batch, generator=own_random)

    torch.manual_seed(args.seed)
    model = models.from_options(args, train_set).to(device)
    stop = restart.StopSignal(restart.control_group(), args.check_every)
    checkpoints = restart.Checkpoints(Path(args.runs) / args.name, vars(args), me.rank, args.keep)
    state = checkpoints.newest(stop.group)
    if state and me.rank == 0:
        model.load_state_dict(state["model"])  # DDP sends rank 0's weights to the others
    model = DistributedDataParallel(model, device_ids=[device.index] if device.type == "cuda" else None)
    torch.manual_seed(args.seed + 1000 * me.rank)  # equal weights, but not equal dropout
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=0.9)
    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, models.cosine(args.epochs))

    progress = restart.Progress(total=torch.zeros(2, dtype=torch.float64, device=device))

    def save() -> None:
        """Write a checkpoint of this moment; all ranks call it, rank 0 writes."""
        total, random_states = progress.total.clone(), [None] * me.world_size
        dist.all_reduce(total)
        dist.all_gather_object(random_states, restart.random_state(device))
        if me.rank == 0:
            state = {
                "epoch": progress.epoch,
                "batch": progress.batch,
                "step": progress.step,
                "total": total.cpu(),
                "model": model.module.state_dict(),
                "optimizer": optimizer.state_dict(),
                "scheduler": scheduler.state_dict(),
                "random": random_states,
            }
            checkpoints.write(state, progress.step)

    def after_step() -> None:
        stop.check(progress.step)
        if args.checkpoint_every and progress.step % args.checkpoint_every == 0:
            save()

    if state:
        restart.load_optimizer(optimizer, state["optimizer"])
        scheduler.load_state_dict(state["scheduler"])
        restart.set_random_state(state["random"], me.rank, device)
        progress.epoch, progress.batch, progress.step = state["epoch"], state["batch"], state["step"]
        optimizer.param_groups[0]["lr"] = args.lr * models.cosine(args.epochs)(progress.epoch)
        if me.rank == 0:  # the sum over all ranks: counted once
            progress.total += state["total"].to(device)
    run = metrics.Run(args, me.rank, first_epoch=progress.epoch, device=device)

    for epoch in range(progress.epoch, args.epochs):
        sampler.set_position(epoch, progress.batch * rank_batch)  # a new order in each epoch
        train_set.set_epoch(epoch)  # and a new augmentation
        own_random.manual_seed(args.seed + 1000 * me.rank + 1_000_000 * epoch)
        start, images_before = time.perf_counter(), progress.batch * args.batch_size
        try:
            stop.check_now()  # a signal may have come while the model was validated and saved
            train_loss = train(model, run.bar(train_batches, epoch), optimizer, device, progress, after_step)
        except restart.Stopped as reason:
            if progress.batch or not epoch:  # else the end of the last epoch has just been saved
                save()
            if me.rank == 0:
                checkpoints.leave_marker(f"{reason} at step {progress.step}")
            run.close()
            break
        seconds = time.perf_counter() - start
        models.share_buffers(model.module)  # BatchNorm's averages: those that are saved
        # Without DDP's wrapper: ranks may have different numbers of batches here, and DDP would wait.
        val_loss, val_accuracy = validate(model.module, val_batches, device)
        scheduler.step()
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
