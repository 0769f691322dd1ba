"""Read the learner's dataset in one process, and in processes whose inherited file handles are no longer usable."""

import subprocess
import sys
import tempfile
import zipfile
from io import BytesIO
from pathlib import Path

import numpy as np
from PIL import Image

COUNT = 200
# Image n is 4 x 4, filled with n; its label is n % 10. Names are sorted by label, then by number.
PROGRAM = """
import importlib.util, os, random, sys
from torch.utils.data import DataLoader
spec = importlib.util.spec_from_file_location("mine", {program!r})
mine = importlib.util.module_from_spec(spec)
sys.modules["mine"] = mine
spec.loader.exec_module(mine)
order = sorted(range({count}), key=lambda n: (n % 10, n))


def stage(name):
    print(name, flush=True)


def right(index):
    image, label = dataset[index]
    same = int(image.min()) == int(image.max()) == order[index]
    return tuple(image.shape) == (4, 4) and same and int(label) == order[index] % 10


def in_a_child():
    # A child whose inherited handles of the archive lead nowhere gets along only with handles of its own.
    if os.fork() == 0:
        nowhere, code = os.open(os.devnull, os.O_RDONLY), 1
        for name in os.listdir("/proc/self/fd"):
            if os.path.realpath("/proc/self/fd/" + name) == os.path.realpath({archive!r}):
                os.dup2(nowhere, int(name))
        try:
            code = 0 if all(right(index) for index in range(0, {count}, 7)) else 1
        finally:
            os._exit(code)
    if os.waitstatus_to_exitcode(os.wait()[1]):
        sys.exit(1)


stage("start")
dataset = mine.ZippedImages({archive!r})
assert len(dataset) == {count}, f"len() is {{len(dataset)}}, not {count}"
stage("child")
in_a_child()
stage("alone")
shuffled = random.Random(1).sample(range({count}), {count})
assert all(right(index) for index in shuffled), "an image or its label is not the one of its name"
stage("child after a look")
in_a_child()
stage("loader")
loader = DataLoader(dataset, batch_size=20, num_workers=2, multiprocessing_context="fork")
labels = [int(label) for _, batch in loader for label in batch]
assert labels == [n % 10 for n in order], "labels arrive in the wrong order"
"""
SAY = {
    "start": "The dataset cannot be made",
    "alone": "Read in one process, it fails",
    "child": "A data loading process reads through the handle that was opened before it began, and shares its position "
    "with the others: open the file in the process that reads",
    "child after a look": "After somebody has looked at dataset[5], data loading processes inherit that open handle: "
    "open the file anew when os.getpid() has changed",
    "loader": "A DataLoader with two processes fails",
}


def check(path: Path) -> list[str]:
    """What is still wrong with the Python file ``path``: one sentence each, empty if nothing."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        archive = folder / "images.zip"
        _write(archive)
        text = PROGRAM.format(program=str(Path(path).resolve()), archive=str(archive), count=COUNT)
        done = subprocess.run([sys.executable, "-c", text], cwd=folder, capture_output=True, text=True, timeout=200)
        if done.returncode:
            stage = (done.stdout.strip().splitlines() or ["start"])[-1]
            errors = [line for line in done.stderr.strip().splitlines() if "Error" in line or "Bad" in line]
            return [SAY.get(stage, SAY["start"]) + (f" ({errors[-1]})." if errors else ".")]
        if [p.name for p in folder.iterdir()] != ["images.zip"]:
            return ["It has unpacked files: read the members with ZipFile.read instead."]
    return []


def _write(archive: Path) -> None:
    with zipfile.ZipFile(archive, "w") as file:
        for n in range(COUNT):
            buffer = BytesIO()
            Image.fromarray(np.full((4, 4), n, dtype=np.uint8)).save(buffer, "png")
            file.writestr(f"images/{n % 10}/{n:04d}.png", buffer.getvalue())
