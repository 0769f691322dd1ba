"""Images per second of each stage of the course on this machine's GPUs, one run after the other.

    python scripts/train/measure_stages.py --out book/data/stages_1gpu.json
    python scripts/train/measure_stages.py --gpus 4 --out book/data/stages_4gpus.json

ResNet-50 on synthetic images of 224 x 224, 256 images a GPU and step. Every run is a process of its own with its own
time limit, and the file is written after each, so that a run that hangs costs only itself.

Stages named "JPEGs" read images from --shards DIR, cut and mirrored at random. For an epoch of 48 steps on one GPU:

    python scripts/train/make_photos.py photos --images 15360
    python scripts/train/make_shards.py photos packed

Each epoch has --steps steps for any number of GPUs. Compare `steady_images_per_s`: the rate between the first steps
and the last, in the median epoch. What the start of an epoch costs besides is `epoch_start_ms`; `images_per_s` has it
inside, and so depends on the length of the epoch. All are from a program's last line (metrics.py).

On a machine without GPUs --trial runs the same stages with a small network, and nothing that needs a GPU.
"""

import argparse
import datetime
import json
import os
import platform
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import data
import options

HERE = Path(__file__).resolve().parent
BATCH_PER_GPU = 256
PATIENCE_S = 30  # for a run that was told to end
SMALL = ["--batch-size", "64"]
JPEGS = ["--dataset", "shards", "--augment"]
SLOW = ["--no-tf32", "--no-channels-last", "--no-bf16", "--no-fused"]
FULL, TRIAL = ["--image-size", "224", "--model", "resnet50"], ["--image-size", "8", "--model", "cnn"]
TRIAL_BATCH = 8
NEEDS_GPU = ("--compile", "--graphs", "--decode", "gpu")  # or a compiler, which takes a minute


def stages(gpus: int) -> dict[str, list[str]]:
    """Name of each run -> its program and options, in the order in which the course meets them."""
    if gpus == 1:
        start = {
            "one_device": ["one_device.py"],
            "ddp, 1 GPU": ["ddp.py"],
            "ddp_resume, 1 GPU": ["ddp_resume.py"],
        }
    else:
        start = {"data_parallel": ["data_parallel.py"], "ddp": ["ddp.py"], "ddp_resume": ["ddp_resume.py"]}
    # Each measure is added to the one before: what it brings is the step between two rows.
    return start | {
        "ddp_fast: input from the GPU's memory, float32": ["ddp_fast.py", *SLOW],
        "+ TensorFloat-32": ["ddp_fast.py", *SLOW[1:]],
        "+ channels last": ["ddp_fast.py", *SLOW[2:]],
        "+ bfloat16": ["ddp_fast.py", *SLOW[3:]],
        "+ fused optimizer": ["ddp_fast.py"],
        "+ torch.compile": ["ddp_fast.py", "--compile"],
        "+ CUDA graphs": ["ddp_fast.py", "--graphs"],
        "compiled, the input by four workers": ["ddp_fast.py", "--compile", "--workers", "4"],
        "bare loop": ["bare_loop.py", "--float32"],
        "bare loop, all measures": ["bare_loop.py"],
        "bare loop, compiled": ["bare_loop.py", "--compile"],
        "bare loop, CUDA graphs": ["bare_loop.py", "--graphs"],
        "bare loop, 64 images": ["bare_loop.py", *SMALL],
        "bare loop, 64 images, compiled": ["bare_loop.py", "--compile", *SMALL],
        "bare loop, 64 images, CUDA graphs": ["bare_loop.py", "--graphs", *SMALL],
        "JPEGs, decoded by workers": ["ddp_fast.py", "--compile", *JPEGS],
        "JPEGs, decoded on the GPU": ["ddp_fast.py", "--compile", "--decode", "gpu", *JPEGS],
        "JPEGs, decoded on the GPU, CUDA graphs": ["ddp_fast.py", "--graphs", "--decode", "gpu", *JPEGS],
    }


def chosen(args: argparse.Namespace) -> dict[str, list[str]]:
    """The stages that the options ask for; SystemExit with a message if one is unknown or lacks its images."""
    known = stages(args.gpus)
    if unknown := set(args.only or []) - known.keys():
        raise SystemExit(f"measure_stages: no stage {unknown}; there are:\n  " + "\n  ".join(known))
    names = args.only or [name for name in known if args.shards or "shards" not in known[name]]
    if not args.shards and any("shards" in known[name] for name in names):
        raise SystemExit("measure_stages: say where the JPEGs are: --shards DIR")
    return {name: known[name] for name in names}


def command(program: list[str], args: argparse.Namespace, runs: Path) -> list[str]:
    """The whole command line of one run."""
    launcher = [sys.executable]
    if program[0] in ("ddp.py", "ddp_resume.py", "ddp_fast.py", "bare_loop.py"):
        launcher += ["-m", "torch.distributed.run", "--standalone", "--nproc-per-node", str(args.gpus)]
    common = [*launcher, str(HERE / program[0]), *(TRIAL if args.trial else FULL)]
    batch = TRIAL_BATCH if args.trial else BATCH_PER_GPU
    program = without_gpu(program) if args.trial else program
    if "shards" in program:
        common += ["--data-dir", str(args.shards)]
    else:
        common += ["--dataset", "synthetic", "--classes", "1000"]
    if program[0] == "bare_loop.py":
        return [*common, "--batch-size", str(batch), *program[1:]]
    samples = round(args.steps * batch * args.gpus / data.TRAIN_FRACTION)
    size = ["--samples", str(samples), "--batch-size", str(batch * args.gpus), "--epochs", str(args.epochs)]
    workers = [] if program[0] == "ddp_fast.py" else ["--workers", "4"]
    return [*common, *size, *workers, "--runs", str(runs), *program[1:]]


def without_gpu(program) -> list[str]:
    """A program's words without those that need a GPU."""
    return [word for word in program if word not in NEEDS_GPU]


def measure(argv: list[str], timeout_s: float, environment: dict[str, str] | None = None) -> dict:
    """Run one stage, with further variables; its result line as numbers, or why there is none."""
    started = time.monotonic()
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    environment = {**os.environ, **(environment or {})}
    with subprocess.Popen(argv, start_new_session=True, env=environment, **pipes) as process:
        try:
            output, _ = process.communicate(timeout=timeout_s)
        except subprocess.TimeoutExpired:
            return {"failed": f"no result within {timeout_s:.0f} s", "output": ended(process)[-2000:]}
    seconds = round(time.monotonic() - started, 1)
    found = re.search(r"^result: (.*)$", output, flags=re.M)
    if process.returncode or not found:
        return {"failed": f"exit code {process.returncode}", "output": output[-6000:], "seconds": seconds}
    numbers = dict(item.split("=") for item in found[1].split())
    first = re.search(r"^backend=.*$", output, flags=re.M)[0]
    return {"first_line": first, "seconds": seconds, **{k: float(v) for k, v in numbers.items()}}


def ended(process: subprocess.Popen) -> str:
    """End a run and what it has started; what it had printed. DataParallel that hangs does not heed TERM."""
    os.killpg(process.pid, signal.SIGTERM)  # torchrun ends its ranks
    try:
        return process.communicate(timeout=PATIENCE_S)[0]
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        return process.communicate()[0]


def hardware() -> dict:
    """What the numbers were measured on."""
    import torch
    import torchvision

    query = ["nvidia-smi", "--query-gpu=name,driver_version,memory.total", "--format=csv,noheader"]
    return {
        "gpus": subprocess.run(query, capture_output=True, text=True, check=True).stdout.strip().splitlines(),
        "cores": len(os.sched_getaffinity(0)),
        "torch": torch.__version__,
        "torchvision": torchvision.__version__,
        "cuda": torch.version.cuda,
        "nccl": ".".join(map(str, torch.cuda.nccl.version())),
        "python": platform.python_version(),
    }


def main() -> None:
    """Measure every stage and write the file after each."""
    parser = argparse.ArgumentParser(description="Images per second of each stage on this machine's GPUs.")
    parser.add_argument("--gpus", type=options.at_least(1), default=1, help="processes, one a GPU (default: 1)")
    parser.add_argument("--steps", type=options.at_least(1), default=128, help="steps of an epoch (default: 128)")
    parser.add_argument("--epochs", type=options.at_least(1), default=3, help="the first one warms up (default: 3)")
    parser.add_argument("--timeout", type=options.positive, default=240, help="seconds for one run (default: 240)")
    parser.add_argument("--seconds", type=options.positive, default=float("inf"), help="longest time of all of them")
    parser.add_argument("--only", nargs="*", metavar="NAME", help="only these stages, in this order (default: all)")
    parser.add_argument("--shards", type=Path, metavar="DIR", help="JPEGs as make_shards.py packs them (see above)")
    parser.add_argument("--runs", type=Path, default=Path("runs/measure"), help="folder for the runs' own files")
    parser.add_argument("--trial", action="store_true", help="a small network, without a GPU")
    parser.add_argument("--out", type=Path, required=True, help="JSON file for the results")
    args = parser.parse_args()
    end = time.monotonic() + args.seconds
    record = {
        "command": shlex.join(["python", "scripts/train/measure_stages.py", *sys.argv[1:]]),
        "date": datetime.date.today().isoformat(),
        "hardware": {"cores": len(os.sched_getaffinity(0))} if args.trial else hardware(),
        "setting": {"model": "resnet50", "image": "3x224x224", "batch_per_gpu": BATCH_PER_GPU, "trial": args.trial}
        | {"gpus": args.gpus, "steps": args.steps, "epochs": args.epochs},
        "stages": {},
    }
    args.out.parent.mkdir(parents=True, exist_ok=True)
    for number, (name, program) in enumerate(chosen(args).items()):
        limit = min(args.timeout, end - time.monotonic())
        if limit < args.timeout / 2:
            print(f"{name}: left out, {max(0, limit):.0f} s are left", flush=True)
            continue
        # A folder of its own: the resuming stages would go on from another run's checkpoint.
        runs = args.runs / f"{int(time.time())}-{number}"
        argv = command(program, args, runs)
        record["stages"][name] = measure(argv, limit)
        print(name, json.dumps(record["stages"][name])[:400], flush=True)
        args.out.write_text(json.dumps(record, indent=1) + "\n")


if __name__ == "__main__":
    main()
