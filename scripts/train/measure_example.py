"""Images per second of PyTorch's own ImageNet example on JPEGs, to compare ddp_fast.py with. Fetch it for that:

    git clone https://github.com/pytorch/examples
    python scripts/train/make_photos.py photos --images 15360
    python scripts/train/measure_example.py examples/imagenet/main.py photos --out example.json

The example trains ResNet-50 with its own defaults on one GPU: float32 with TensorFloat-32 convolutions, images read and
decoded by workers. The rate is that between the first steps, in which workers and algorithms start, and the last ones,
from the times that it prints; with the slowest and the fastest ten steps. On a machine without GPUs --trial runs it
with a small network and few images a step.
"""

import argparse
import datetime
import itertools
import json
import os
import re
import shlex
import statistics
import subprocess
import sys
from pathlib import Path

import measure_stages

import options

BATCH, EVERY = 256, 10  # images a step; steps from one printed line to the next
TRIAL = ("mobilenet_v3_small", 4)  # network, images a step
SHOWN = 16  # images of each label that the example validates


def parse_arguments() -> argparse.Namespace:
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=form)
    option = parser.add_argument
    option("example", type=Path, help="its main.py")
    option("photos", type=Path, help="a folder with LABEL/NAME.jpg: see make_photos.py")
    option(
        "--workers", type=options.at_least(1), default=len(os.sched_getaffinity(0)), metavar="N", help="of the loader"
    )
    option("--commit", help="of the example (default: as git says)")
    option("--timeout", type=options.positive, default=300, metavar="S", help="longest time (default: 300 s)")
    option("--trial", action="store_true", help="a small network, without a GPU")
    option("--out", type=Path, required=True, help="JSON file for the result")
    return parser.parse_args()


def link(photos: Path, folder: Path) -> None:
    """Lay ``photos`` out as the example wants them: FOLDER/train/LABEL, and some of each label in FOLDER/val/LABEL."""
    (folder / "val").mkdir(parents=True, exist_ok=True)
    if not (folder / "train").exists():
        (folder / "train").symlink_to(photos.resolve())
    for label in sorted(path for path in photos.iterdir() if path.is_dir()):
        (folder / "val" / label.name).mkdir(exist_ok=True)
        for path in sorted(label.glob("*.jpg"))[:SHOWN]:
            place = folder / "val" / label.name / path.name
            if not place.exists():
                place.symlink_to(path.resolve())


def rates(output: str, batch: int = BATCH) -> list[float]:
    """Images per second of the steps between two printed lines, without those before the second line.

    A line holds the number of steps so far, and the mean of their seconds in parentheses.
    """
    found = re.findall(r"^Epoch: \[0\]\[ *(\d+)/\d+\]\tTime +[\d.]+ \( *([\d.]+)\)", output, flags=re.M)
    ends = [(int(steps), int(steps) * float(mean)) for steps, mean in found][1:]
    pairs = itertools.pairwise(ends)
    return [batch * (steps - before) / (seconds - then) for (before, then), (steps, seconds) in pairs]


def measure(args: argparse.Namespace, folder: Path) -> dict:
    """Run the example; its rate, or why there is none."""
    network, batch = TRIAL if args.trial else ("resnet50", BATCH)
    words = ["-a", network, "-b", str(batch), "-j", str(args.workers), "-p", str(EVERY), "--epochs", "1", "--gpu", "0"]
    command = [sys.executable, str(args.example.resolve()), *words, str(folder.resolve())]
    late, pipes = "", {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True, "start_new_session": True}
    with subprocess.Popen(command, cwd=folder, **pipes) as process:  # it writes its checkpoints where it runs
        try:
            output, _ = process.communicate(timeout=args.timeout)
        except subprocess.TimeoutExpired:  # what it printed until then counts
            output, late = measure_stages.ended(process), f"no result within {args.timeout:.0f} s"
    if len(found := rates(output, batch)) < 2 or (process.returncode and not late):
        return {"failed": late or f"exit code {process.returncode}", "output": output[-2000:]}
    numbers = {"": statistics.harmonic_mean(found), "_min": min(found), "_max": max(found)}
    result = {f"steady_images_per_s{end}": round(number, 1) for end, number in numbers.items()}
    return result | ({"ended": late} if late else {})


def main() -> None:
    """Measure it and write the file."""
    args = parse_arguments()
    git = ["git", "-C", str(args.example.parent), "rev-parse", "HEAD"]
    commit = args.commit or subprocess.run(git, capture_output=True, text=True, check=True).stdout.strip()
    folder = Path("runs/example")
    link(args.photos, folder)
    record = {
        "command": shlex.join(["python", "scripts/train/measure_example.py", *sys.argv[1:]]),
        "date": datetime.date.today().isoformat(),
        "hardware": {"cores": args.workers} if args.trial else measure_stages.hardware(),
        "source": f"https://github.com/pytorch/examples/blob/{commit}/imagenet/main.py",
        "setting": {
            "model": "resnet50",
            "image": "3x224x224",
            "batch": BATCH,
            "workers": args.workers,
            "trial": args.trial,
        },
        "stages": {"PyTorch's ImageNet example": measure(args, folder)},
    }
    args.out.parent.mkdir(parents=True, exist_ok=True)
    args.out.write_text(json.dumps(record, indent=1) + "\n")
    print(json.dumps(record["stages"])[:600], flush=True)


if __name__ == "__main__":
    main()
