"""The fastest loop that this machine has for a model: what a training program can be compared with.

torchrun --standalone --nproc-per-node 1 scripts/train/bare_loop.py --model resnet50 --image-size 224 --compile

One batch lies on each device and is trained on again and again: no input, no accuracy, no records, no checkpoints.
With --graphs each step is one CUDA graph. With several ranks DDP sends the gradients.
"""

import argparse
import statistics

import torch
import torch.nn.functional as F

import data
import launch
import metrics
import models
import options


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    option = parser.add_argument
    option("--batch-size", type=options.at_least(1), default=256, metavar="N", help="images a rank (default: 256)")
    option("--steps", type=options.at_least(20), default=100, metavar="N", help="of one measurement (default: 100)")
    option("--repeats", type=options.at_least(1), default=3, metavar="N", help="measurements (default: 3)")
    option("--float32", action="store_true", help="full float32, channels first: nothing of what makes it fast")
    option("--compile", action="store_true", help="translate it by torch.compile")
    option("--graphs", action="store_true", help="the same, with CUDA graphs")
    data.add_options(parser)
    models.add_options(parser)
    parser.set_defaults(dataset="synthetic")
    return parser.parse_args()


def main() -> None:
    args = parse_arguments()
    if args.samples or args.dataset == "shards":
        raise SystemExit("bare_loop: it trains on one batch, which lies in memory: no --samples, no --dataset shards")
    args.samples = 2 * args.batch_size + 32  # enough for a training part of one batch
    me, device = launch.init()
    images_set = data.from_options(args)[0].to(device)
    pixels, labels = images_set.take(torch.arange(args.batch_size, device=device))
    models.set_precision("ieee" if args.float32 else "tf32")
    autocast = torch.autocast(device.type, torch.bfloat16, enabled=not args.float32)
    memory_format = torch.contiguous_format if args.float32 else torch.channels_last
    torch.manual_seed(1)
    network = models.from_options(args, images_set)
    model = models.FromBytes(network, images_set.mean, images_set.std, memory_format)
    model = model.to(device, memory_format=memory_format).train()
    model = models.compiled(model, device, args.compile, args.graphs, ddp=me.world_size > 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-4, momentum=0.9, fused=not args.float32)
    clock, found = metrics.StepClock(device), []
    for _ in range(args.repeats):
        for _ in clock.steps_of(range(clock.WARM_UP + args.steps)):
            with autocast:
                loss = F.cross_entropy(model(pixels), labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        found.append(1e3 * args.batch_size * me.world_size / clock.step_ms())
    if me.rank == 0:
        print(launch.first_line(me, device))
        step_ms = 1e3 * args.batch_size * me.world_size / statistics.median(found)
        rates = metrics.middle_and_ends("steady_images_per_s", found)
        print(f"result: {rates} step_ms={step_ms:.2f} loss={loss.item():.4f}", flush=True)
    launch.finish()


if __name__ == "__main__":
    main()
