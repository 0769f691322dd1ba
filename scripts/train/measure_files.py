"""What a folder of small files costs, and what the same images in a few archives cost: measure it on your own disk.

    python scripts/train/measure_files.py FOLDER --images 2000 --out files.json

It makes JPEGs in FOLDER, which lies on the disk to be measured, and packs them with make_shards.py. Then, of both:

list    all names with their sizes, as `ls -l` and `du` ask for them
copy    cp --recursive to another folder of the same disk
read    all images once in a random order, from the disk: the system was asked to forget their content
again   the same from memory
remove  the copy

Names and places of files stay in memory, which an ordinary user cannot have forgotten: reading files for the very
first time takes longer. All is removed at the end. At most a few thousand images on a disk that others use, too.
"""

import argparse
import datetime
import json
import os
import platform
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import make_photos
import make_shards
import measure_feed

import options
import shards

ACTIONS = ("list", "copy", "read", "again", "remove")


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    option = parser.add_argument
    option("folder", type=Path, help="on the disk to be measured; what is made in it is removed")
    option("--images", type=options.at_least(1), default=2000, metavar="N", help="default: 2000")
    option("--repeats", type=options.at_least(1), default=3, metavar="N", help="how often each is done (default: 3)")
    option("--out", type=Path, required=True, help="JSON file for the results")
    return parser.parse_args()


def files_of(folder: Path) -> list[Path]:
    return [Path(place) / name for place, _, names in os.walk(folder) for name in names]


def list_all(folder: Path) -> int:
    """Ask for each file's size; the bytes of all."""
    return sum(path.stat().st_size for path in files_of(folder))


def forget(folder: Path) -> None:
    """Have the content of all files dropped from memory, as far as the system obeys."""
    os.sync()
    for path in files_of(folder):
        descriptor = os.open(path, os.O_RDONLY)
        os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(descriptor)


def read_packed(folder: Path) -> int:
    """Read each image out of archives that are opened for it, as a training does at its start."""
    return measure_feed.read_shards(shards.Shards(folder, 224))


def milliseconds(action: Callable[[], object]) -> float:
    start = time.perf_counter()
    action()
    return 1e3 * (time.perf_counter() - start)


def measure_once(folder: Path, read: Callable[[Path], int]) -> dict[str, float]:
    """Milliseconds of each action on this folder; ``read`` reads all of its images."""
    copy = folder.with_name(f"{folder.name}-copy")
    found = {"list": milliseconds(lambda: list_all(folder))}
    found["copy"] = milliseconds(lambda: subprocess.run(["cp", "--recursive", folder, copy], check=True))
    forget(folder)
    found["read"] = milliseconds(lambda: read(folder))
    found["again"] = milliseconds(lambda: read(folder))
    found["remove"] = milliseconds(lambda: shutil.rmtree(copy))
    return found


def row(folder: Path, rounds: list[dict[str, float]]) -> dict[str, float]:
    """Files, bytes, and of each action the median, the least and the most milliseconds."""
    found = {"files": len(files_of(folder)), "bytes": list_all(folder)}
    for action in ACTIONS:
        times = [one[action] for one in rounds]
        found |= {f"{action}_ms": round(statistics.median(times), 1)}
        found |= {f"{action}_ms_min": round(min(times), 1), f"{action}_ms_max": round(max(times), 1)}
    return found


def file_system(folder: Path) -> str:
    """Its type: ext4, nfs4, lustre, gpfs …"""
    command = ["df", "--output=fstype", folder]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()[-1]


def measure(place: Path, images: int, repeats: int) -> dict[str, dict[str, float]]:
    """The rows of both ways; they are measured in turn, so that a busy moment meets both."""
    files, packed = place / "files", place / "shards"
    make_photos.write(files, images)
    make_shards.write(files, packed, images_a_shard=1000)
    ways = {files: measure_feed.read_files, packed: read_packed}
    rounds = [{folder: measure_once(folder, read) for folder, read in ways.items()} for _ in range(repeats)]
    return {folder.name: row(folder, [one[folder] for one in rounds]) for folder in ways}


def show(stages: dict[str, dict[str, float]]) -> None:
    print(f"{'':8}{'files':>8}" + "".join(f"{action:>10}" for action in ACTIONS))
    for way, found in stages.items():
        print(f"{way:8}{found['files']:8}" + "".join(f"{found[f'{action}_ms']:10.1f}" for action in ACTIONS))


def main() -> None:
    """Measure, show the table and write the file."""
    args = parse_arguments()
    args.folder.mkdir(parents=True, exist_ok=True)
    kind = file_system(args.folder)
    with tempfile.TemporaryDirectory(prefix="measure_files-", dir=args.folder) as name:
        stages = measure(Path(name), args.images, args.repeats)
    hardware = {"python": platform.python_version(), "cpu": measure_feed.cpu(), "file_system": kind}
    record = {
        "command": shlex.join(["python", "scripts/train/measure_files.py", *sys.argv[1:]]),
        "date": datetime.date.today().isoformat(),
        "hardware": hardware | {"cores": len(os.sched_getaffinity(0))},
        "setting": {"images": args.images, "repeats": args.repeats},
        "stages": stages,
    }
    print(f"{args.images} images on {kind}; milliseconds, the median of {args.repeats}")
    show(stages)
    args.out.parent.mkdir(parents=True, exist_ok=True)
    args.out.write_text(json.dumps(record, indent=1) + "\n")


if __name__ == "__main__":
    main()
