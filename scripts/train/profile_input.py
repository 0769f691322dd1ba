"""Which part of an input slows a training down? The same steps with parts of the input left out.

    python scripts/train/profile_input.py --data-dir packed --model resnet50 --image-size 224 --batch-size 256 \\
        --compile --out parts.json

one batch     it lies on the device: no input at all
N workers     files read and decoded by N processes, as with ddp_fast.py --workers N
reading       the workers of --decode gpu read; the training has its one batch (this and the next ones: --readers N)
decoding      the GPU decodes the files of one batch again and again; the training has its one batch
both          nothing is left out: ddp_fast.py --decode gpu
pinned        the same, the files first copied into memory from which the GPU copies by itself

What a part costs is its step_ms less that of "one batch". host_ms: what Python needs to give a GPU the orders of a
step. Where that is near step_ms, whatever else the process does makes the step longer.
"""

import argparse
import datetime
import gc
import json
import shlex
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import measure_feed
import torch
import torch.nn.functional as F

import data
import feed
import launch
import metrics
import models
import options

Clock = metrics.StepClock
Decode = Callable[[torch.Tensor, torch.Tensor], tuple]  # what feed.new_decoder makes: see gpu_jpeg.Decoder


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    option = parser.add_argument
    option("--batch-size", type=options.at_least(1), default=64, metavar="N", help="default: 64")
    option("--repeats", type=options.at_least(1), default=3, metavar="N", help="passes over the data (default: 3)")
    option("--workers", type=options.at_least(1), nargs="*", default=[], metavar="N", help="N workers (default: none)")
    option("--readers", type=options.at_least(0), default=feed.READERS, metavar="N", help=f"default: {feed.READERS}")
    option("--compile", action="store_true", help="torch.compile")
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
        self.model = models.compiled(model, device, args.compile, graphs=False)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=1e-4, momentum=0.9, fused=True)
        self.autocast = torch.autocast(device.type, torch.bfloat16)

    def step(self, pixels: torch.Tensor, labels: torch.Tensor) -> None:
        with self.autocast:
            loss = F.cross_entropy(self.model(pixels), labels)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()

    def step_ms(self, batches: Iterable, repeats: int) -> list[float]:
        """Milliseconds of a step in each of ``repeats`` passes."""
        found = []
        for _ in range(repeats):
            for pixels, labels in self.clock.steps_of(batches):
                self.step(pixels, labels)
            found.append(round(self.clock.step_ms(), 2))
        return found

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


def decoding(decode: Decode, batch: feed.Batch) -> Decode:
    """Only the first files are decoded, each time; the training gets ``batch``, at once."""
    first = []

    def again(content: torch.Tensor, table: torch.Tensor):
        if not first:
            first.extend((content.clone(), table.clone()))
        decode(first[0], first[1].clone())
        return batch, None

    return again


def pinned(decode: Decode) -> Decode:
    return lambda content, table: decode(content.pin_memory(), table)


def parts(args: argparse.Namespace, images: data.Images, batch: feed.Batch, device: torch.device) -> Iterator:
    """Name and batches of each part."""
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
        yield "decoding", changed(lambda: decoding(new_decoder(device, images.size), batch))
        yield "both", changed(lambda: new_decoder(device, images.size))
        yield "pinned", changed(lambda: pinned(new_decoder(device, images.size)))


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
    for name, batches in parts(args, images, batch, device):
        found = training.step_ms(batches, args.repeats)
        rate = round(1e3 * args.batch_size / statistics.median(found), 1)
        record["parts"][name] = {"step_ms": found, "images_per_s": rate}
        print(f"{name:12} {statistics.median(found):8.2f} ms a step {rate:9.0f} images/s", flush=True)
        args.out.write_text(json.dumps(record, indent=1) + "\n")
        del batches
        gc.collect()  # a Feed refers to itself: only now its workers end, and the next part has the cores alone
    launch.finish()


if __name__ == "__main__":
    main()
