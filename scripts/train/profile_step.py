"""Where does the time of a DDP step go? A profiler's trace of a few steps, and the share of communication.

torchrun --standalone --nproc-per-node 2 scripts/train/profile_step.py

Open the trace (runs/profile/trace.json) in https://ui.perfetto.dev or chrome://tracing. The share is measured twice:
- what the profiler counts for all-reduce, whether or not it overlaps with computing;
- what a step takes longer than one without all-reduce (DDP's no_sync): this is what you wait for.
Each profiled step ends by waiting for the device, so gaps between the steps of this trace are the program's own.
"""

import argparse
import os
import time
from contextlib import nullcontext
from pathlib import Path

import torch
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel
from torch.profiler import ProfilerActivity, profile, schedule

import data
import launch
import models
import options


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--steps", type=options.at_least(1), default=20, metavar="N", help="steps of each measurement (default: 20)"
    )
    parser.add_argument(
        "--batch-size", type=options.at_least(1), default=64, metavar="N", help="images a step, total (default: 64)"
    )
    parser.add_argument("--out", default="runs/profile", metavar="DIR", help="for the trace (default: runs/profile)")
    parser.add_argument(
        "--timeout", type=options.positive, default=300, metavar="S", help="wait for other ranks (default: 300 s)"
    )
    data.add_options(parser)
    models.add_options(parser)
    return parser.parse_args()


def step(model, optimizer, images, labels) -> None:
    """One training step on a batch that is already on the device."""
    optimizer.zero_grad()
    F.cross_entropy(model(images), labels).backward()
    optimizer.step()


def wait_for(device: torch.device) -> None:
    """A GPU works on while Python goes on: wait before looking at the clock."""
    if device.type == "cuda":
        torch.cuda.synchronize(device)


def seconds_per_step(model, optimizer, images, labels, steps: int, synchronize: bool) -> float:
    """Mean seconds of a step, with or without DDP's all-reduce."""
    with nullcontext() if synchronize else model.no_sync():
        for _ in range(3):  # warm up
            step(model, optimizer, images, labels)
        wait_for(images.device)
        start = time.perf_counter()
        for _ in range(steps):
            step(model, optimizer, images, labels)
        wait_for(images.device)
    return (time.perf_counter() - start) / steps


def profiled(model, optimizer, images, labels, steps: int, trace: Path | None):
    """Profile ``steps`` steps after a warm-up; writes the trace if a path is given."""
    activities = [ProfilerActivity.CPU]
    if images.device.type == "cuda":
        activities.append(ProfilerActivity.CUDA)
    else:  # without a GPU the profiler's library reports just that, as an error
        os.environ.setdefault("KINETO_LOG_LEVEL", "99")
    with profile(activities=activities, schedule=schedule(wait=1, warmup=2, active=steps)) as profiler:
        for _ in range(steps + 3):
            step(model, optimizer, images, labels)
            wait_for(images.device)
            profiler.step()
    if trace:
        profiler.export_chrome_trace(str(trace))
    return profiler


def all_reduce_seconds(profiler, steps: int, device: torch.device) -> float:
    """Seconds of all-reduce in a step: NCCL's kernels on a GPU, Gloo's work on a CPU."""
    total = 0.0
    for event in profiler.events():
        name = event.name.lower()
        if device.type == "cuda":
            if event.device_type == torch.autograd.DeviceType.CUDA and "nccl" in name and "allreduce" in name:
                total += event.time_range.elapsed_us()
        elif name.startswith("gloo:all_reduce"):
            total += event.time_range.elapsed_us()
    return total / 1e6 / steps


def main() -> None:
    args = parse_arguments()
    me, device = launch.init(args.timeout)
    if me.rank == 0:
        print(launch.first_line(me, device), flush=True)
    if args.batch_size % me.world_size:
        raise SystemExit(f"--batch-size {args.batch_size} is not a multiple of {me.world_size} processes")
    train_set, _ = data.from_options(args)
    rank_batch = args.batch_size // me.world_size
    batch = [train_set[index] for index in range(me.rank * rank_batch, (me.rank + 1) * rank_batch)]
    images = torch.stack([image for image, _ in batch]).to(device)
    labels = torch.stack([label for _, label in batch]).to(device)
    torch.manual_seed(1)
    model = models.from_options(args, train_set).to(device)
    model = DistributedDataParallel(model, device_ids=[device.index] if device.type == "cuda" else None)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)

    without = seconds_per_step(model, optimizer, images, labels, args.steps, synchronize=False)
    with_all_reduce = seconds_per_step(model, optimizer, images, labels, args.steps, synchronize=True)
    folder = Path(args.out)
    trace = None
    if me.rank == 0:
        folder.mkdir(parents=True, exist_ok=True)
        trace = folder / "trace.json"
    profiler = profiled(model, optimizer, images, labels, args.steps, trace)
    reduced = all_reduce_seconds(profiler, args.steps, device)
    if me.rank == 0:
        column = "self_cuda_time_total" if device.type == "cuda" else "self_cpu_time_total"
        print(profiler.key_averages().table(sort_by=column, row_limit=12, max_name_column_width=44))
        print(f"trace: {trace}")
        waited = max(0.0, 1 - without / with_all_reduce)
        print(
            f"result: step_ms={with_all_reduce * 1e3:.2f} step_without_all_reduce_ms={without * 1e3:.2f} "
            f"all_reduce_ms={reduced * 1e3:.2f} waiting_share={waited:.3f}",
            flush=True,
        )
    launch.finish()


if __name__ == "__main__":
    main()
