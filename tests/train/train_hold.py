"""Holding a training at a known place, so that a signal meets it there and not when it has just ended."""

import functools
import io
import os
import resource
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

LIMIT_S = 180  # that a test which fails ends; on a machine with ten times the work of its cores a start takes a minute


def in_own_session(before: Callable[[], None] | None = None) -> Callable[[], None]:
    """For ``train_forks.start(before=…)``: the rank leads a session and a process group, as torchrun's ranks do.

    Its workers belong to both: they get what is sent to the group, and the session tells whose they are.
    """
    return functools.partial(_lead, before)


def _lead(before: Callable[[], None] | None) -> None:
    os.setsid()
    if before:
        before()


def noting_labels(folder: Path, before: Callable[[], None] | None = None) -> Callable[[], None]:
    """For ``train_forks.start(before=…)``: a rank writes "EPOCH LABEL" of each training image into ``seen-RANK``."""
    return functools.partial(_note_labels, folder, before)


def _note_labels(folder: Path, before: Callable[[], None] | None) -> None:
    import feed
    import restart

    really, path = feed.Feed.__iter__, folder / f"seen-{os.environ['RANK']}"

    def noting(self):
        for pixels, labels in really(self):
            if isinstance(self.sampler, restart.ResumableSampler):  # not what is validated
                with open(path, "a") as file:
                    file.writelines(f"{self.sampler.epoch} {label}\n" for label in labels.tolist())
            yield pixels, labels

    feed.Feed.__iter__ = noting
    if before:
        before()


def noting_epochs(folder: Path) -> Callable[[], None]:
    """For ``train_forks.start(before=…)``: a rank writes the epochs that it tells its images into ``epochs-RANK``."""
    return functools.partial(_note_epochs, folder)


def _note_epochs(folder: Path) -> None:
    import data

    really, path = data.Images.set_epoch, folder / f"epochs-{os.environ['RANK']}"

    def noting(self, epoch: int) -> None:
        with open(path, "a") as file:
            file.write(f"{epoch}\n")
        really(self, epoch)

    data.Images.set_epoch = noting


def decoding_without_gpu(before: Callable[[], None] | None = None) -> Callable[[], None]:
    """For ``train_forks.start(before=…)``: ``--decode gpu`` with PIL in place of the GPU's decoder."""
    return functools.partial(_decode_without_gpu, before)


def _decode_without_gpu(before: Callable[[], None] | None) -> None:
    import feed

    feed.new_decoder = _decoder
    if before:
        before()


def _decoder(_device, size: int):
    import numpy as np
    import torch
    from PIL import Image

    def decode(content: torch.Tensor, table: torch.Tensor):
        parts = []
        for _, start, length, _, _, *box, mirrored in table.tolist():
            image = Image.open(io.BytesIO(content[int(start) : int(start + length)].numpy().tobytes()))
            part = torch.from_numpy(np.array(image.convert("RGB").resize((size, size), box=box))).permute(2, 0, 1)
            parts.append(part.flip(2) if mirrored else part)
        return [torch.stack(parts), table[:, 0].long()], None

    return decode


def at_checkpoint(step: int, signs: Path) -> Callable[[], None]:
    """For ``train_forks.start(before=…)``: rank 0 waits in the middle of writing the checkpoint of ``step``.

    Of a checkpoint in pieces (sharded.py) all pieces are on the disk then, and only their list is not.
    It makes ``signs/held`` when it is there, and goes on when ``signs/go`` appears. The others wait for it in their
    next collective, so all ranks are in a known step.
    """
    return functools.partial(_hold_fsync, f"step-{step:08d}", signs)


def _hold_fsync(name: str, signs: Path, child: bool = False) -> None:
    really = os.fsync

    def fsync(descriptor: int) -> None:
        file = Path(os.readlink(f"/proc/self/fd/{descriptor}"))
        if file.name == f"{name}.tmp" or (file.parent.name, file.name) == (f"{name}.part", "run.pt"):
            started = subprocess.Popen(["sleep", str(LIMIT_S)]) if child else None
            _wait_for_go(signs / "held", signs)
            if started:
                if started.poll() is None:
                    (signs / "child-lives").touch()
                started.kill()
                started.wait()
        really(descriptor)

    os.fsync = fsync


def with_a_child(step: int, signs: Path) -> Callable[[], None]:
    """As ``at_checkpoint``, and rank 0 has started a process by then, as a compiler is.

    When it goes on, it makes ``signs/child-lives`` if that process is still there, and ends it.
    """
    return functools.partial(_start_child, step, signs)


def _start_child(step: int, signs: Path) -> None:
    _hold_fsync(f"step-{step:08d}", signs, child=True)


def before_listening(signs: Path) -> Callable[[], None]:
    """For ``train_forks.start(before=…)``: each rank waits when all have met, and none listens to signals yet.

    It makes ``signs/held-RANK`` then, and goes on when ``signs/go`` appears.
    """
    return functools.partial(_hold_control_group, signs)


def _hold_control_group(signs: Path) -> None:
    import restart

    really = restart.control_group

    def control_group():
        _wait_for_go(signs / f"held-{os.environ['RANK']}", signs)
        return really()

    restart.control_group = control_group


def _wait_for_go(held: Path, signs: Path) -> None:
    held.touch()
    deadline = time.monotonic() + LIMIT_S
    while not (signs / "go").exists():
        if time.monotonic() > deadline:
            raise SystemExit(f"held for {LIMIT_S} s, and nobody said go")
        time.sleep(0.005)


def small_files_on(rank: int, most: int) -> Callable[[], None]:
    """For ``train_forks.start(before=…)``: rank ``rank`` cannot write a file of more than ``most`` bytes."""
    return functools.partial(_limit_files, rank, most)


def _limit_files(rank: int, most: int) -> None:
    if os.environ.get("RANK") == str(rank):
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
