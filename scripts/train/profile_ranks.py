"""Where do two cards lose against twice one? The same step in several ways, and the times of its kernels.

    torchrun --standalone --nproc-per-node 1 scripts/train/profile_ranks.py --ways alone --out book/data/gap.json
    torchrun --standalone --nproc-per-node 2 scripts/train/profile_ranks.py --out book/data/gap.json

ResNet-50, 224 x 224, 256 images a rank: the step of bare_loop.py --compile, in each way with one thing changed:

alone    no DDP: each rank trains for itself, all at the same time
no_sync  lean DDP (models.py) that sends nothing: the compiled graph is cut where a bucket is full
ddp      lean DDP as in ddp_fast.py: gradients are copied into buckets and sent
keep     the same, but zero_grad() leaves the gradients in the buckets
half     gradients sent in bfloat16
whole    compiled as one graph: what is sent can hide behind less
large    buckets of 100 MiB

A row has rank 0's times of a step in ms and its images/s, and the other ranks' rows. `step_ms` is timed without
profiler (median, _min and _max of --repeats), and so is `host_ms`: how long Python needs to put a step into the GPU's
queue. The kernels' times (kernel_times.py) are of a pass of its own, in which the profiler slows Python.

The file is written after each way; called again with the same --out, rows are added. On a machine without GPUs --trial
runs a small network, not compiled; a CPU has no kernels to show.
"""

import argparse
import contextlib
import datetime
import json
import os
import shlex
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import kernel_times
import measure_cards
import measure_stages
import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch.distributed.algorithms.ddp_comm_hooks.default_hooks import bf16_compress_hook

import data
import launch
import metrics
import models
import options

WAYS = ("alone", "no_sync", "ddp", "keep", "half", "whole", "large")
PROFILED = 10  # steps


def training(way: str, images: data.Images, batch: int, device: torch.device, trial: bool) -> Callable[[], None]:
    """One step of a new model on one batch, which lies on the device."""
    torch._dynamo.reset()
    torch._dynamo.config.optimize_ddp = way != "whole"
    pixels, labels = images.take(torch.arange(batch, device=device))
    torch.manual_seed(1)
    network = models.build("cnn" if trial else "resnet50", images.shape, images.classes)
    model = models.FromBytes(network, images.mean, images.std, torch.channels_last)
    model = model.to(device, memory_format=torch.channels_last).train()
    if way != "alone":
        model = models.lean_ddp(model, device, **({"bucket_cap_mb": 100} if way == "large" else {}))
    if way == "half":
        model.register_comm_hook(None, bf16_compress_hook)
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-4, momentum=0.9, fused=True)
    forward = model if trial else torch.compile(model, dynamic=False)

    def step() -> None:
        with model.no_sync() if way == "no_sync" else contextlib.nullcontext():
            with torch.autocast(device.type, torch.bfloat16):
                loss = F.cross_entropy(forward(pixels), labels)
            optimizer.zero_grad(set_to_none=way != "keep")
            loss.backward()
        optimizer.step()

    return step


def measured(step: Callable[[], None], batch: int, steps: int, repeats: int, device: torch.device) -> dict:
    """This rank's row."""
    wait = torch.cuda.synchronize if device.type == "cuda" else lambda: None
    clock, found, host = metrics.StepClock(device), [], []
    for _ in range(3):  # compiles
        step()
    wait()
    for _ in range(repeats):
        dist.barrier()
        for _ in clock.steps_of(range(clock.WARM_UP + steps)):
            step()
        found.append(clock.step_ms())
    for _ in range(5):
        wait()
        start = time.perf_counter()
        step()
        host.append(1e3 * (time.perf_counter() - start))
    middle = statistics.median(found)
    row = {"step_ms": middle, "step_ms_min": min(found), "step_ms_max": max(found), "host_ms": statistics.median(host)}
    row = {key: round(ms, 3) for key, ms in row.items()}
    row |= {"steps": steps, "repeats": repeats, "images_per_s": round(1e3 * batch / middle, 1)}
    return row | (kernel_times.of_a_step(kernel_times.seen(step, PROFILED), PROFILED) if device.type == "cuda" else {})


def begin(out: Path, setting: dict) -> dict:
    """The record in ``out``, or a new one; SystemExit with a message if its setting or hardware is another."""
    hardware = {"cores": os.cpu_count()} if setting["trial"] else measure_stages.hardware()
    if not out.exists():
        out.parent.mkdir(parents=True, exist_ok=True)
        today = datetime.date.today().isoformat()
        return {"command": "", "date": today, "hardware": hardware, "setting": setting, "stages": {}}
    with contextlib.suppress(ValueError):
        record = json.loads(out.read_text())
        if (record.get("setting"), record.get("hardware")) == (setting, hardware):
            return record
    raise SystemExit(f"profile_ranks: {out} has other results; name another file with --out")


def main() -> None:
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=form)
    option = parser.add_argument
    option("--ways", nargs="+", choices=WAYS, default=WAYS, metavar="WAY", help=f"of {', '.join(WAYS)} (default: all)")
    option("--name", default="", metavar="LABEL", help="for the rows' names, such as a variable's value")
    option("--steps", type=options.at_least(20), default=60, metavar="N", help="of one measurement (default: 60)")
    option("--repeats", type=options.at_least(1), default=3, metavar="N", help="measurements (default: 3)")
    option("--trial", action="store_true", help="a small network, without a GPU")
    option("--out", type=Path, required=True, metavar="FILE", help="JSON file for the results")
    args = parser.parse_args()
    size, batch, classes = (8, 8, 10) if args.trial else (224, 256, 1000)
    model = "cnn" if args.trial else "resnet50"
    setting = {"model": model, "image": f"3x{size}x{size}", "batch": batch, "trial": args.trial}
    if not args.trial and not torch.cuda.is_available():
        raise SystemExit("profile_ranks: no GPU is visible; --trial runs without one")
    record = begin(args.out, setting)  # on all ranks, before one of them writes
    me, device = launch.init()
    launcher = ["torchrun", "--standalone", "--nproc-per-node", str(me.world_size)]
    command = shlex.join([*launcher, "scripts/train/profile_ranks.py", *sys.argv[1:]])
    record["command"] = "; ".join(filter(None, (record["command"], command)))
    images = data.load("synthetic", samples=2 * batch + 32, image_size=size, classes=classes)[0].to(device)
    models.set_precision("tf32")
    for way in args.ways:
        row = measured(training(way, images, batch, device, args.trial), batch, args.steps, args.repeats, device)
        rows = [None] * me.world_size
        dist.all_gather_object(rows, row)
        if me.rank == 0:
            name = ", ".join(filter(None, (way, str(me.world_size), args.name)))
            environment = {key: value for key, value in os.environ.items() if key.startswith("NCCL_")}
            others = [{key: value for key, value in row.items() if key != "longest"} for row in rows[1:]]
            record["stages"][name] = rows[0] | {"environment": environment, "other_ranks": others}
            measure_cards.write(record, args.out)
            print(name, json.dumps({key: value for key, value in rows[0].items() if key != "longest"}), flush=True)
    launch.finish()


if __name__ == "__main__":
    main()
