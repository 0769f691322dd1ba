"""Is the accuracy over two and three ranks exactly that of one process, for sizes that do not divide?"""

import importlib.util
import os
import re
import runpy
import subprocess
import sys
from pathlib import Path

COUNTS = (8, 9, 1, 101)  # divides; does not; leaves ranks without an image; last batches of different sizes
TIMEOUT_S = 180
FIRST_ERROR = runpy.run_path(str(Path(__file__).parents[3] / "train" / "first_error.py"))["first_error"]


def check(path: Path) -> list[str]:
    """Run ``path`` with torchrun on two and on three processes; empty where every accuracy is exact."""
    expected = _one_process()
    for world_size in (2, 3):
        try:
            run = _torchrun(path, world_size)
        except subprocess.TimeoutExpired:
            return [f"{world_size} ranks: no end after {TIMEOUT_S} s. Does a rank skip a collective?"]
        problems = _compare(run, world_size, expected)
        if problems:
            return problems
    return []


def _torchrun(path: Path, world_size: int) -> subprocess.CompletedProcess:
    torchrun = [sys.executable, "-m", "torch.distributed.run", "--standalone"]
    return subprocess.run(
        [*torchrun, f"--nproc-per-node={world_size}", str(path), *map(str, COUNTS)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=TIMEOUT_S,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )


def _one_process() -> dict[int, float]:
    """Number of images -> accuracy, from all images at once."""
    spec = importlib.util.spec_from_file_location("exact_validation", Path(__file__).with_name("solution.py"))
    program = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(program)
    model, accuracies = program.network(), {}
    first, label = program.images(1).tensors
    # A sampler repeats images from the first on: where the answer to that one were wrong, nobody would see it.
    assert (model(first).argmax(dim=1) == label).all()
    for count in COUNTS:
        inputs, labels = program.images(count).tensors
        accuracies[count] = (model(inputs).argmax(dim=1) == labels).double().mean().item()
    return accuracies


def _compare(run: subprocess.CompletedProcess, world_size: int, expected: dict[int, float]) -> list[str]:
    if run.returncode:
        found = FIRST_ERROR(run.stdout)
        text = f"{found.text} ({found.where})" if found else run.stdout[-300:]
        return [f"{world_size} ranks: torchrun ended with exit code {run.returncode}. {text}"]
    found = re.findall(r"count=(\d+) accuracy=([\d.]+|nan) seen=(\d+)", run.stdout)
    if [int(count) for count, _, _ in found] != list(COUNTS):
        return ["Keep main() as it is: rank 0 prints one line 'count=… accuracy=… seen=…' for each number."]
    return [
        f"{count} images on {world_size} ranks: accuracy {accuracy} from {seen} images; "
        f"in one process it is {expected[int(count)]:.6f} from {count}."
        for count, accuracy, seen in found
        if seen != count or abs(float(accuracy) - expected[int(count)]) > 1e-6
    ]
