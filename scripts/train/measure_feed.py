"""Images per second that an input can bring, without any training: by files, by shards, by workers, by the GPU.

    python scripts/train/measure_feed.py --data-dir packed --files photos --workers 0 1 2 4 --out feed.json

read files, read shards   all images once in a random order, not decoded; in one process
N workers                 decoded, a random part cut out, resized, in batches: as ddp_fast.py --augment gets them
on the GPU                the same with --decode gpu

Compare the rates with what the model alone can take: bare_loop.py. Each number is of one pass over the training
images, after a pass that does not count.
"""

import argparse
import datetime
import gc
import json
import os
import platform
import random
import shlex
import sys
import time
from pathlib import Path

import torch
import torchvision

import data
import feed
import options


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    option = parser.add_argument
    option("--files", type=Path, metavar="FOLDER", help="the same images as FOLDER/LABEL/NAME.jpg")
    option("--workers", type=options.at_least(0), nargs="*", default=[0, 1, 2], metavar="N", help="default: 0 1 2")
    option("--batch-size", type=options.at_least(1), default=64, metavar="N", help="default: 64")
    option("--repeats", type=options.at_least(1), default=3, metavar="N", help="passes that count (default: 3)")
    option("--out", type=Path, required=True, help="JSON file for the results")
    data.add_options(parser)
    parser.set_defaults(dataset="shards", image_size=224, augment=True)
    return parser.parse_args()


def read_files(folder: Path) -> int:
    """Open, read and close each file; the number of images."""
    paths = list(folder.glob("*/*.jpg"))
    random.Random(1).shuffle(paths)
    for path in paths:
        with open(path, "rb", buffering=0) as file:
            file.read()
    return len(paths)


def read_shards(images) -> int:
    """Read each image out of the archives; the number of images."""
    numbers = list(range(len(images)))
    random.Random(1).shuffle(numbers)
    for number in numbers:
        images._content(number)
    return len(numbers)


def consume(batches: feed.Feed, device: torch.device) -> int:
    """Take all batches of a pass; the number of images."""
    images = sum(len(labels) for _, labels in batches)
    if device.type == "cuda":
        torch.cuda.synchronize(device)
    return images


def rates(work, repeats: int) -> list[float]:
    """Images per second of each pass but the first."""
    found = []
    for _ in range(repeats + 1):
        start = time.perf_counter()
        images = work()
        found.append(round(images / (time.perf_counter() - start), 1))
    return found[1:]


def ways(args: argparse.Namespace, images, device: torch.device):
    """Name and work of each row."""
    order = torch.randperm(len(images), generator=torch.Generator().manual_seed(1)).tolist()

    def fed(workers: int, decode: str):
        batches = feed.Feed(images, order, args.batch_size, device, workers, torch.Generator(), decode)
        return lambda: consume(batches, device)

    if args.files:
        yield "read files", lambda: read_files(args.files)
    yield "read shards", lambda: read_shards(images)
    if device.type == "cuda":
        yield "on the GPU", fed(feed.READERS, "gpu")
    for workers in args.workers:
        yield f"{workers} workers", fed(workers, "cpu")


def cpu() -> str:
    """The name of this machine's processor."""
    lines = [line for line in Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("model name")]
    return lines[0].split(":")[1].strip() if lines else platform.machine()


def hardware(device: torch.device) -> dict:
    """What the numbers were measured on."""
    record = {"torch": torch.__version__, "torchvision": torchvision.__version__, "python": platform.python_version()}
    record |= {"cpu": cpu(), "cores": len(os.sched_getaffinity(0))}
    return record | ({"gpus": [torch.cuda.get_device_name(device)]} if device.type == "cuda" else {})


def main() -> None:
    """Measure each way and write the file after each."""
    args = parse_arguments()
    device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")
    images = data.from_options(args)[0]
    record = {
        "command": shlex.join(["python", "scripts/train/measure_feed.py", *sys.argv[1:]]),
        "date": datetime.date.today().isoformat(),
        "hardware": hardware(device),
        "setting": {"images": len(images), "image_size": args.image_size, "batch": args.batch_size}
        | {"bytes_an_image": round(images.places[:, 2].mean().item())},
        "images_per_s": {},
    }
    args.out.parent.mkdir(parents=True, exist_ok=True)
    for name, work in ways(args, images, device):
        record["images_per_s"][name] = found = rates(work, args.repeats)
        print(
            f"{name:12} {sorted(found)[len(found) // 2]:9.0f} images/s ({min(found):.0f}-{max(found):.0f})", flush=True
        )
        args.out.write_text(json.dumps(record, indent=1) + "\n")
        del work
        gc.collect()  # its workers end, and the next row has the cores alone


if __name__ == "__main__":
    main()
