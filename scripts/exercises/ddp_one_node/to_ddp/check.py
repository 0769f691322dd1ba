"""Does the learner's program compute on two processes what the one-device program computes on one?"""

import os
import re
import runpy
import subprocess
import sys
import tempfile
from pathlib import Path

STARTER = Path(__file__).with_name("starter.py")
FIRST_ERROR = runpy.run_path(str(Path(__file__).parents[3] / "train" / "first_error.py"))["first_error"]
TORCHRUN = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node=2"]
TIMEOUT_S = 180
_LEFT_WAITING = re.compile(
    r"Connection (reset|closed) by peer|Read error|Broken pipe|gloo::EnforceNotMet"
)  # Gloo's words
LOSS_TOLERANCE = 2e-5  # the programs print five decimals
WEIGHT_TOLERANCE = 1e-5


def check(path: Path) -> list[str]:
    """Run ``path`` with torchrun on two processes and the starter on one; empty where both give the same."""
    with tempfile.TemporaryDirectory() as folder:
        mine, reference = Path(folder) / "mine.pt", Path(folder) / "reference.pt"
        try:
            run = _run(TORCHRUN, path, mine)
        except subprocess.TimeoutExpired:
            return [f"No end after {TIMEOUT_S} s. Does a process wait in a collective that the other skips?"]
        if run.returncode:
            return [f"torchrun ended with exit code {run.returncode}. {_error(run.stdout)}"]
        problems = _shape(run.stdout, mine)
        if problems:
            return problems
        expected = _run([sys.executable], STARTER, reference)
        return _losses(run.stdout, expected.stdout) or _weights(mine, reference)


def _run(launcher: list[str], program: Path, weights: Path) -> subprocess.CompletedProcess:
    return subprocess.run(
        [*launcher, str(program), str(weights)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=TIMEOUT_S,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )


def _error(output: str) -> str:
    """The first error of the log, and where it was raised."""
    found = FIRST_ERROR(output)
    text = f"{found.text} ({found.where})" if found and found.where else found.text if found else output[-300:]
    if _LEFT_WAITING.search(output):
        text += (
            " A process waited in a collective for one that had ended: all processes must call all_reduce (and "
            "broadcast, barrier, …), also those that do not print; no such call behind 'if rank == 0'."
        )
    return text


def _epochs(output: str) -> list[tuple[int, float, int]]:
    """Epoch, loss and number of images of each line that the program printed."""
    found = re.findall(r"epoch=(\d+) loss=([\d.]+|nan) images=(\d+)", output)
    return [(int(epoch), float(loss), int(images)) for epoch, loss, images in found]


def _shape(output: str, weights: Path) -> list[str]:
    """What the printed lines alone show."""
    epochs, saved = _epochs(output), re.findall(r"saved by rank (\d+) of (\d+)", output)
    if not epochs or not saved:
        return ["Keep the two lines that print 'epoch=… loss=… images=…' and 'saved by rank … of …'."]
    if any(world != "2" for _, world in saved):
        return ["A process believes that it is alone (place 1): join the group, ask it for rank and size."]
    problems = []
    if len(epochs) != 3:
        problems.append(f"{len(epochs)} lines for 3 epochs (place 5): rank 0 alone should print.")
    if len(saved) != 1:
        problems.append(f"{len(saved)} processes wrote the same file (place 5): rank 0 alone should save.")
    if any(images != 1408 for _, _, images in epochs):
        problems.append(
            f"{epochs[0][2]} images in an epoch instead of 1408 (places 2 and 5): each process takes half of "
            "the images, and the sums of both are added up."
        )
    if not weights.is_file():
        problems.append("No file with the weights: save to sys.argv[1].")
    return problems


def _losses(output: str, reference: str) -> list[str]:
    for (epoch, loss, _), (_, wanted, _) in zip(_epochs(output), _epochs(reference), strict=True):
        if not abs(loss - wanted) <= LOSS_TOLERANCE:
            where = (
                "from the first epoch on: is a rank's batch the global batch divided by the number of ranks, "
                "is the sampler's seed SEED (place 2), are gradients averaged (place 3)?"
                if epoch == 0
                else "only after the first one: does the order change with the epoch (place 4)?"
            )
            return [f"Loss of epoch {epoch}: {loss:.5f}, on one device {wanted:.5f}. It differs {where}"]
    return []


def _weights(mine: Path, reference: Path) -> list[str]:
    import torch

    yours, wanted = torch.load(mine), torch.load(reference)
    if yours.keys() != wanted.keys():
        return [f"The weights are called {', '.join(yours)}: save those of model.module, not of the wrapper."]
    gap = max((yours[name] - wanted[name]).abs().max().item() for name in wanted)
    if gap > WEIGHT_TOLERANCE:
        return [f"A weight differs by {gap:.1e} from the one-device program's."]
    return []
