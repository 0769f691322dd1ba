"""Which part of an input slows a training down? The same steps with parts of the input left out.

    python scripts/train/profile_input.py --data-dir packed --model resnet50 --image-size 224 --batch-size 256 \\
        --compile --out parts.json

one batch     it lies on the device: no input at all
N workers     files read and decoded by N processes, as with ddp_fast.py --workers N
reading       the workers of --decode gpu read; the training has its one batch (this and the next ones: --readers N)
decoding      the GPU decodes the files of one batch again and again; the training has its one batch
both          nothing is left out: ddp_fast.py --decode gpu
one thread    the same, but one batch after the other is given to the decoder: feed.DECODERS = 1

What a part costs is its step_ms less that of "one batch". The numbers beside it tell why, all of one step:

host_ms       what Python needs to give a GPU that waits for them the orders of a step. Where that is near step_ms,
              whatever else the process does makes the step longer
waited_ms     the training loop waited for a batch: the input is too slow
kernels_ms    on a GPU: how long the training's own kernels ran. The rest of step_ms the GPU waited for orders, or
              had other work
answer_ms     on a GPU: how long a call of the decoder took its thread
"""

import argparse
import datetime
import gc
import itertools
import json
import shlex
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import measure_feed
import torch
import torch.distributed as dist
import torch.nn.functional as F

import data
import feed
import launch
import metrics
import models
import options

Clock = metrics.StepClock
PROFILED = 12  # steps
Decode = Callable[[torch.Tensor, torch.Tensor], tuple]  # what feed.new_decoder makes: see gpu_jpeg.Decoder


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    option = parser.add_argument
    option("--batch-size", type=options.at_least(1), default=64, metavar="N", help="default: 64")
    option("--repeats", type=options.at_least(1), default=3, metavar="N", help="passes over the data (default: 3)")
    option("--workers", type=options.at_least(1), nargs="*", default=[], metavar="N", help="N workers (default: none)")
    option("--readers", type=options.at_least(0), default=feed.READERS, metavar="N", help=f"default: {feed.READERS}")
    option("--compile", action="store_true", help="torch.compile")
    option("--graphs", action="store_true", help="the same, with CUDA graphs")
    option("--ddp", action="store_true", help="DDP also for one process, as each of several has it")
    option("--whole-graph", action="store_true", help="compiled without DDP's cuts, which let gradients be sent early")
    option("--out", type=Path, required=True, help="JSON file for the results")
    data.add_options(parser)
    models.add_options(parser)
    parser.set_defaults(dataset="shards", augment=True)
    return parser.parse_args()


class Training:
    """Steps of ddp_fast.py without its records and checkpoints."""

    def __init__(self, args: argparse.Namespace, images: data.Images, device: torch.device):
        self.device, self.clock = device, Clock(device)
        models.set_precision("tf32")
        torch._dynamo.config.optimize_ddp = not args.whole_graph
        torch.manual_seed(1)
        model = models.FromBytes(models.from_options(args, images), images.mean, images.std, torch.channels_last)
        model = model.to(device, memory_format=torch.channels_last).train()
        self.model = models.compiled(model, device, args.compile, args.graphs, args.ddp or dist.get_world_size() > 1)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=1e-4, momentum=0.9, fused=True)
        self.autocast = torch.autocast(device.type, torch.bfloat16)

    def step(self, pixels: torch.Tensor, labels: torch.Tensor) -> None:
        with self.autocast:
            loss = F.cross_entropy(self.model(pixels), labels)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()

    def step_ms(self, batches: Iterable, repeats: int) -> dict[str, list[float]]:
        """Milliseconds of a step, and of waiting for its batch, in each of ``repeats`` passes."""
        found = {"step_ms": [], "waited_ms": []}
        for _ in range(repeats):
            waits = Waits()
            for pixels, labels in self.clock.steps_of(waits.for_each(batches)):
                self.step(pixels, labels)
            found["step_ms"].append(round(self.clock.step_ms(), 2))
            found["waited_ms"].append(round(1e3 * statistics.mean(waits.seconds[Clock.WARM_UP :]), 2))
        return found

    def kernels_ms(self, batches: Iterable) -> float:
        """How long the kernels of a step ran in the training's own stream, by PyTorch's profiler."""
        some = itertools.islice(batches, Clock.WARM_UP + PROFILED)
        for _ in range(Clock.WARM_UP):
            self.step(*next(some))
        torch.cuda.synchronize(self.device)
        with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA], acc_events=False) as profiler:
            for batch in some:
                self.step(*batch)
            torch.cuda.synchronize(self.device)
        times: dict[int, int] = {}  # stream -> nanoseconds
        for event in profiler.profiler.kineto_results.events():
            if event.device_type() == torch.autograd.DeviceType.CUDA:
                stream = event.device_resource_id()
                times[stream] = times.get(stream, 0) + event.duration_ns()
        return round(max(times.values()) / PROFILED / 1e6, 2)  # the training's stream has the most to do

    def host_ms(self, batch: feed.Batch) -> float:
        """How long Python gives orders in a step; on a CPU it does the work meanwhile."""
        found = []
        for _ in range(10):
            if self.device.type == "cuda":
                torch.cuda.synchronize(self.device)
            start = time.perf_counter()
            self.step(*batch)
            found.append(1e3 * (time.perf_counter() - start))
        return round(statistics.median(found), 2)


class Waits:
    """How long each batch let the training loop wait."""

    def __init__(self):
        self.seconds: list[float] = []

    def for_each(self, batches: Iterable) -> Iterator:
        start = time.perf_counter()
        for batch in batches:
            self.seconds.append(time.perf_counter() - start)
            yield batch
            start = time.perf_counter()


def timed(decode: Decode, seconds: list[float]) -> Decode:
    """The same, and how long each call took into ``seconds``."""

    def call(content: torch.Tensor, table: torch.Tensor):
        start = time.perf_counter()
        found = decode(content, table)
        seconds.append(time.perf_counter() - start)
        return found

    return call


def decoding(decode: Decode, batch: feed.Batch) -> Decode:
    """Only the first files are decoded, each time; the training gets ``batch``, at once."""
    first = []

    def again(content: torch.Tensor, table: torch.Tensor):
        if not first:
            first.extend((content.clone(), table.clone()))
        decode(first[0], first[1].clone())
        return batch, None

    return again


def parts(
    args: argparse.Namespace, images: data.Images, batch: feed.Batch, device: torch.device, answers: list[float]
) -> Iterator:
    """Name and batches of each part; ``answers``: gets the seconds of each call of the decoder."""
    order = list(range(len(images) // args.batch_size * args.batch_size))
    new_decoder = feed.new_decoder

    def fed(workers: int, decode: str) -> feed.Feed:
        return feed.Feed(images, order, args.batch_size, device, workers, torch.Generator(), decode)

    def changed(change: Callable[[], Decode]) -> feed.Feed:
        feed.new_decoder = lambda _device, _size: change()
        return fed(args.readers, "gpu")

    yield "one batch", [batch] * (len(order) // args.batch_size)
    for workers in args.workers:
        yield f"{workers} workers", fed(workers, "cpu")
    yield "reading", changed(lambda: lambda _content, _table: (batch, None))
    if device.type == "cuda":
        yield "decoding", changed(lambda: decoding(timed(new_decoder(device, images.size), answers), batch))
        yield "both", changed(lambda: timed(new_decoder(device, images.size), answers))
        feed.DECODERS = 1
        yield "one thread", changed(lambda: timed(new_decoder(device, images.size), answers))


def main() -> None:
    """Measure each part and write the file after each."""
    args = parse_arguments()
    _, device = launch.init()
    images, least = data.from_options(args)[0], Clock.WARM_UP + Clock.LEAST
    if images.in_memory:
        raise SystemExit("profile_input: for images that are read: --dataset shards")
    if len(images) // args.batch_size < least:
        raise SystemExit(f"profile_input: {len(images)} training images are no {least} batches of {args.batch_size}")
    training = Training(args, images, device)
    batch = tuple(tensor.to(device) for tensor in images.take(torch.arange(args.batch_size)))
    training.step(*batch)
    record = {
        "command": shlex.join(["python", "scripts/train/profile_input.py", *sys.argv[1:]]),
        "date": datetime.date.today().isoformat(),
        "hardware": measure_feed.hardware(device),
        "host_ms": training.host_ms(batch),
        "parts": {},
    }
    print(f"host_ms={record['host_ms']}", flush=True)
    args.out.parent.mkdir(parents=True, exist_ok=True)
    answers: list[float] = []
    for name, batches in parts(args, images, batch, device, answers):
        answers.clear()
        found = training.step_ms(batches, args.repeats)
        middle = statistics.median(found["step_ms"])
        found = {**found, "images_per_s": round(1e3 * args.batch_size / middle, 1)}
        if answers:
            found["answer_ms"] = round(1e3 * statistics.median(answers), 2)
        if device.type == "cuda":
            found["kernels_ms"] = training.kernels_ms(batches)
        record["parts"][name] = found
        print(f"{name:12} {json.dumps(found)}", flush=True)
        args.out.write_text(json.dumps(record, indent=1) + "\n")
        del batches
        gc.collect()  # its workers end, and the next part has the cores alone
    launch.finish()


if __name__ == "__main__":
    main()
