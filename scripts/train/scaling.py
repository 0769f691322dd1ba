"""How much faster does a training step get with more devices? Measure it, then print the table.

    for ranks in 1 2 4; do
        torchrun --standalone --nproc-per-node "$ranks" scripts/train/scaling.py --out runs/scaling.json
    done
    python scripts/train/scaling.py --table runs/scaling.json

Each launch measures the same number of ranks in two ways and adds its rows to the file:

weak    each rank computes --batch-size images in a step: more ranks, more work
strong  all ranks together compute --batch-size images: more ranks, the same work

Images and labels are random and lie on the device unless --workers gives processes that load them. On a GPU the step is
the fast one of ddp_fast.py: bfloat16, channels last, fused optimizer, lean DDP; --slow switches that off. --compile
and --graphs add what helps where a rank has few images, and Python is slower than the GPU. For numbers of a steady
state that can be compared, give each number of ranks the same --steps, some hundred. Measure other options under
another --label: rows of one label are compared with one another.
"""

import argparse
import datetime
import json
import os
import platform
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch.distributed.algorithms.ddp_comm_hooks import default_hooks
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import BatchSampler, DataLoader, DistributedSampler

import data
import launch
import models
import options

WARM_UP = 5  # steps that do not count: libraries load, algorithms are chosen, memory is reserved
# Options that say where to, how often and how long, not what is measured.
NOT_MEASURED = ("--out", "--label", "--repeats", "--seconds", "--steps", "--timeout")


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    option = parser.add_argument
    option("--table", type=Path, metavar="FILE", help="print the table of this file, measure nothing")
    option("--out", type=Path, default=Path("runs/scaling.json"), help="rows are added (default: runs/scaling.json)")
    option(
        "--batch-size",
        type=options.at_least(1),
        default=64,
        metavar="N",
        help="images: see weak and strong above (default: 64)",
    )
    option(
        "--repeats", type=options.at_least(1), default=5, metavar="N", help="measurements of each number (default: 5)"
    )
    length = parser.add_mutually_exclusive_group().add_argument
    length("--seconds", type=options.positive, default=1, metavar="S", help="length of one measurement (default: 1 s)")
    length("--steps", type=options.at_least(1), metavar="N", help="steps of one measurement, instead of --seconds")
    option(
        "--workers",
        type=options.at_least(0),
        default=0,
        metavar="N",
        help="load the images with N processes (default: 0, none)",
    )
    option("--slow", action="store_true", help="float32 and PyTorch's defaults")
    option("--compile", action="store_true", help="translate it by torch.compile")
    option("--graphs", action="store_true", help="the same, with CUDA graphs")
    option("--bf16-gradients", action="store_true", help="send gradients in half the bytes")
    option("--label", default="", help="a word for the rows, such as the network between the GPUs")
    option("--timeout", type=options.positive, default=300, metavar="S", help="wait for other ranks (default: 300 s)")
    data.add_options(parser)
    models.add_options(parser)
    parser.set_defaults(dataset="synthetic")
    args = parser.parse_args()
    if args.slow and (args.compile or args.graphs):
        parser.error("--slow is PyTorch as it comes: without --compile and --graphs")
    return args


# ---------------------------------------------------------------------------------------------------
# The step that is measured


class Training:
    """A model, its optimizer, and one step of training on ``rank_batch`` images of this rank."""

    def __init__(self, args: argparse.Namespace, images_set: data.Images, me: launch.Launch, device: torch.device):
        self.args, self.images_set, self.me, self.device = args, images_set, me, device
        fast = device.type == "cuda" and not args.slow
        torch.backends.cudnn.benchmark = fast
        memory_format = torch.channels_last if fast else torch.contiguous_format
        self.autocast = torch.autocast(device.type, torch.bfloat16, enabled=fast)
        torch.manual_seed(1)
        network = models.from_options(args, images_set)
        model = models.FromBytes(network, images_set.mean, images_set.std, memory_format)
        model = model.to(device, memory_format=memory_format)
        if args.slow:
            self.model = DistributedDataParallel(model, device_ids=[device.index] if device.type == "cuda" else None)
        else:
            self.model = models.compiled(model, device, args.compile, args.graphs)
        if args.bf16_gradients:
            self.model.register_comm_hook(None, default_hooks.bf16_compress_hook)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=1e-4, momentum=0.9, fused=fast)
        self.gradient_bytes = sum(p.numel() * p.element_size() for p in model.parameters())

    def batches(self, rank_batch: int) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
        """Batches without end: loaded by workers, or the same one that lies on the device."""
        if self.args.workers:
            sampler = DistributedSampler(self.images_set, self.me.world_size, self.me.rank)
            loader = DataLoader(  # batch_size=None: the dataset gets the indices of a whole batch
                self.images_set,
                batch_size=None,
                sampler=BatchSampler(sampler, rank_batch, drop_last=True),
                num_workers=self.args.workers,
                pin_memory=self.device.type == "cuda",
                persistent_workers=True,
            )
            while True:
                yield from loader
        indices = torch.arange(rank_batch) % len(self.images_set)
        pixels, labels = self.images_set[indices.tolist()]
        pixels, labels = pixels.to(self.device), labels.to(self.device)
        while True:
            yield pixels, labels

    def step(self, batch: tuple[torch.Tensor, torch.Tensor]) -> None:
        pixels, labels = (tensor.to(self.device, non_blocking=True) for tensor in batch)
        with self.autocast:
            loss = F.cross_entropy(self.model(pixels), labels)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()


# ---------------------------------------------------------------------------------------------------
# The clock


def wait_for(device: torch.device) -> None:
    """A GPU works on while Python goes on: wait before looking at the clock."""
    if device.type == "cuda":
        torch.cuda.synchronize(device)


def largest(seconds: float, device: torch.device) -> float:
    """The largest of all ranks' numbers: a job is as fast as its slowest rank."""
    value = torch.tensor(seconds, dtype=torch.float64, device=device)
    dist.all_reduce(value, dist.ReduceOp.MAX)
    return value.item()


def seconds_for(work, times: int, device: torch.device) -> float:
    """Seconds of ``times`` calls of ``work`` on the slowest rank; all start at once."""
    wait_for(device)
    dist.barrier()
    start = time.perf_counter()
    for _ in range(times):
        work()
    wait_for(device)
    return largest(time.perf_counter() - start, device)


def measure_step(training: Training, rank_batch: int) -> dict[str, list[float]]:
    """Milliseconds of a step, with and without all-reduce, taken in turn."""
    args, device, batches = training.args, training.device, training.batches(rank_batch)

    def step() -> None:
        training.step(next(batches))

    seconds_for(step, WARM_UP, device)
    # The same on all ranks, since seconds_for is.
    times = args.steps or round(args.seconds / (seconds_for(step, 3, device) / 3))
    times = max(3, times)
    found: dict[str, list[float]] = {"step_ms": [], "step_without_all_reduce_ms": []}
    for _ in range(args.repeats):
        for name, values in found.items():
            alone = name == "step_without_all_reduce_ms"
            with training.model.no_sync() if alone else nullcontext():
                seconds = seconds_for(step, times, device)
            values.append(round(1e3 * seconds / times, 4))
    return {**found, "steps": times}


def measure_all_reduce(total_bytes: int, device: torch.device, repeats: int) -> dict[str, float]:
    """Bytes -> milliseconds of one all-reduce: tiny, one of DDP's buckets (25 MiB), all gradients."""
    found = {}
    for size in sorted({4, min(25 * 2**20, total_bytes), total_bytes}):
        numbers = torch.zeros(size // 4, device=device)

        def reduce(numbers=numbers) -> None:
            dist.all_reduce(numbers)

        seconds_for(reduce, WARM_UP, device)
        values = [seconds_for(reduce, 10, device) / 10 for _ in range(repeats)]
        found[str(size)] = round(1e3 * statistics.median(values), 4)
    return found


# ---------------------------------------------------------------------------------------------------
# The record


def hardware(device: torch.device) -> dict:
    """What the numbers were measured on."""
    record = {"torch": torch.__version__, "python": platform.python_version(), "cores": len(os.sched_getaffinity(0))}
    if device.type == "cuda":
        query = ["nvidia-smi", "--query-gpu=name,driver_version,memory.total", "--format=csv,noheader"]
        record["gpus"] = subprocess.run(query, capture_output=True, text=True, check=True).stdout.strip().splitlines()
        record |= {"cuda": torch.version.cuda, "nccl": ".".join(map(str, torch.cuda.nccl.version()))}
    else:
        cpu = [line for line in Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("model name")]
        record["cpu"] = cpu[0].split(":")[1].strip() if cpu else platform.machine()
    return record


def rows(args: argparse.Namespace, me: launch.Launch, device: torch.device) -> list[dict]:
    """What this launch measures: one row of weak, one of strong scaling."""
    if args.batch_size % me.world_size:
        raise SystemExit(f"--batch-size {args.batch_size} is not a multiple of {me.world_size} processes")
    if args.dataset == "synthetic" and not args.samples:
        # Four fifths are for training, in whole shares: enough for one step, or for ten before the loader starts anew.
        args.samples = args.batch_size * (12 * me.world_size if args.workers else 2) + 2 * data.SHARE
    images_set = data.from_options(args)[0].as_bytes()
    training = Training(args, images_set, me, device)
    settings = {name: value for name, value in sorted(os.environ.items()) if re.match("NCCL_(?!VERSION)", name)}
    common = {
        "ranks": me.world_size,
        "nodes": me.node_count,
        "label": args.label,
        "model": args.model,
        "gradient_bytes": training.gradient_bytes // (2 if args.bf16_gradients else 1),
        "command": command(me),
        "environment": settings | {"OMP_NUM_THREADS": os.environ.get("OMP_NUM_THREADS", "not set")},
        "all_reduce_ms": measure_all_reduce(training.gradient_bytes, device, args.repeats),
    }
    found = []
    for scaling, rank_batch in (("weak", args.batch_size), ("strong", args.batch_size // me.world_size)):
        numbers = measure_step(training, rank_batch)
        found.append({"scaling": scaling, "batch": rank_batch * me.world_size, **common, **numbers})
    return found


def begin(args: argparse.Namespace, me: launch.Launch, device: torch.device) -> dict:
    """The record in --out, or a new one; SystemExit if rows of this launch could not be compared with those in it."""
    empty = {"hardware": hardware(device), "rows": []}
    record = json.loads(args.out.read_text(encoding="utf-8")) if args.out.exists() else empty
    if record["hardware"] != empty["hardware"]:
        raise SystemExit(f"{args.out} holds numbers of other hardware or versions: choose another --out")
    for row in record["rows"]:
        before, now = (options_of(line) for line in (row["command"], command(me)))
        if (row["model"], row["label"]) == (args.model, args.label) and sorted(before) != sorted(now):
            raise SystemExit(
                f"{args.out} holds rows of {args.model} that were measured with other options: "
                f"{' '.join(before) or 'none'}\n  Give the new ones another --label, or choose another --out."
            )
    return record


def command(me: launch.Launch) -> str:
    """This launch as it stands in its rows."""
    return f"torchrun --nproc-per-node {me.local_world_size} " + " ".join(sys.argv)


def options_of(command: str) -> list[str]:
    """The options of a row's command that say what is measured, word by word."""
    words = command.split("scaling.py", 1)[-1].replace("=", " ").split()
    pairs = zip(["", *words], words, strict=False)
    return [word for before, word in pairs if word not in NOT_MEASURED and before not in NOT_MEASURED]


def add(path: Path, record: dict, new: list[dict]) -> None:
    """Write the record with the new rows; rows of the same measurement are replaced."""
    kept = [row for row in record["rows"] if all(key(row) != key(other) for other in new)]
    record = {"command": new[0]["command"], "date": datetime.date.today().isoformat(), **record, "rows": kept + new}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


def key(row: dict) -> tuple:
    """What tells one measurement from another."""
    return (row["model"], row["label"], row["scaling"], row["ranks"], row["nodes"])


# ---------------------------------------------------------------------------------------------------
# The table


def rates(row: dict) -> list[float]:
    """Images per second of all ranks, one number for each repeat."""
    return [1e3 * row["batch"] / milliseconds for milliseconds in row["step_ms"]]


def table(record: dict) -> str:
    """The rows as text: one block for each model, label and kind of scaling, compared with its smallest run."""
    blocks: dict[tuple, list[dict]] = {}
    for row in sorted(record["rows"], key=lambda row: row["ranks"]):
        blocks.setdefault((row["model"], row["label"], row["scaling"]), []).append(row)
    lines = []
    for (model, label, scaling), block in blocks.items():
        lines += [f"{scaling} scaling, {model}{', ' + label if label else ''}"]
        lines += ["ranks images/step images/s       range speed-up efficiency waiting"]
        base = statistics.median(rates(block[0])) / block[0]["ranks"]  # a rank's share in the smallest run
        for row in block:
            found = rates(row)
            speed_up = statistics.median(found) / base
            step, alone = (statistics.median(row[name]) for name in ("step_ms", "step_without_all_reduce_ms"))
            spread = f"{min(found):.0f}-{max(found):.0f}"
            lines += [
                f"{row['ranks']:5} {row['batch']:11} {statistics.median(found):8.0f} {spread:>11} {speed_up:8.2f} "
                f"{speed_up / row['ranks']:10.0%} {max(0, 1 - alone / step):7.0%}"
            ]
        lines += [""]
    return "\n".join([*lines, "waiting: the share of a step that its all-reduce adds"])


def main() -> None:
    args = parse_arguments()
    if args.table:
        print(table(json.loads(args.table.read_text(encoding="utf-8"))))
        return
    me, device = launch.init(args.timeout)
    if me.rank == 0:
        print(launch.first_line(me, device), flush=True)
        record = begin(args, me, device)  # before minutes of measuring
    new = rows(args, me, device)
    if me.rank == 0:
        add(args.out, record, new)
        for row in new:
            print(f"{row['scaling']}: {statistics.median(rates(row)):.0f} images/s", flush=True)
    launch.finish()


if __name__ == "__main__":
    main()
