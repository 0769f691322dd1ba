"""Where does a training wait for its GPU inside its steps? Runs a program, and names the lines.

    torchrun --standalone --nproc-per-node 1 scripts/train/find_waits.py ddp_fast.py --epochs 1 --batch-size 16

A GPU is kept busy by a Python that runs ahead of it. What needs a number from the GPU, or copies out of memory that is
not pinned, waits until all that was asked for before is done. PyTorch names such operations on request
(https://docs.pytorch.org/docs/stable/generated/torch.cuda.set_sync_debug_mode.html). The first steps of an epoch do not
count: there a GPU's memory is reserved, and algorithms are tried. --stop ends the program at the first such operation,
with the traceback.
"""

import argparse
import collections
import linecache
import runpy
import sys
import warnings
from pathlib import Path

import torch

import metrics

SKIPPED = metrics.StepClock.WARM_UP
found: collections.Counter[tuple[str, int]] = collections.Counter()
steps = 0
mode = "warn"


class WatchedClock(metrics.StepClock):
    """The programs' clock, which knows where a step begins."""

    def steps_of(self, batches):
        global steps
        for batch in super().steps_of(batches):
            if self.steps > SKIPPED:
                steps += 1
                torch.cuda.set_sync_debug_mode(mode)
            yield batch
        torch.cuda.set_sync_debug_mode("default")


def note(message, category, filename, lineno, file=None, line=None) -> None:
    """Count what PyTorch warns of, by its place in the program."""
    if "synchronizing CUDA operation" in str(message):
        found[filename, lineno] += 1
    elif "beta feature" not in str(message):
        sys.stderr.write(warnings.formatwarning(message, category, filename, lineno, line))


def main() -> None:
    """Run the program that is named first, with the options that follow."""
    global mode
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=form)
    parser.add_argument("--stop", action="store_true", help="end at the first wait, with its traceback")
    parser.add_argument("program", help="a training program of this folder")
    parser.add_argument("options", nargs=argparse.REMAINDER, help="its options")
    args = parser.parse_args()
    if not torch.cuda.is_available():
        raise SystemExit("find_waits: no GPU is visible, so there is nothing to wait for")
    mode = "error" if args.stop else "warn"
    sys.argv = [str(Path(__file__).with_name(Path(args.program).name)), *args.options]
    metrics.StepClock = WatchedClock
    warnings.simplefilter("always")
    warnings.showwarning = note
    runpy.run_path(sys.argv[0], run_name="__main__")
    if not steps:
        raise SystemExit(
            f"find_waits: no step was watched: {args.program} must have epochs of more than {SKIPPED} steps, and "
            "metrics.Run.bar() around its batches"
        )
    print(f"waits: {found.total()} in {steps} steps")
    for (filename, lineno), count in found.most_common():
        print(f"{count:6} {Path(filename).name}:{lineno}: {linecache.getline(filename, lineno).strip()}")


if __name__ == "__main__":
    main()
