"""What a run leaves behind: JSON lines and TensorBoard files under runs/, and lines on the screen.

    runs/NAME/config.json     the options of the run
    runs/NAME/metrics.jsonl   one line an epoch
    runs/NAME/events.out.*    the same for TensorBoard: tensorboard --logdir runs

Only rank 0 writes; on the other ranks every method does nothing.
"""

import argparse
import json
import os
import statistics
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import torch
from tqdm import tqdm


class StepClock:
    """The time of a step in steady state: from the end of the warm-up to the end of the last step of an epoch.

    On a GPU by events in its own queue: the clock does not make Python wait, and does not count what
    Python has only put into the queue.
    """

    WARM_UP = 10  # steps at the start of an epoch that do not count: the first batches are on their way
    LEAST = 20  # timed steps without which there is no number

    def __init__(self, device: torch.device):
        self.device = device
        self.restart()

    def restart(self) -> None:
        """An epoch begins."""
        self.steps, self.start, self.end = 0, None, None

    def steps_of(self, batches: Iterable) -> Iterator:
        """``batches``, with the clock running: one step each."""
        self.restart()
        for batch in batches:
            self.tick()
            yield batch
        self.stop()

    def tick(self) -> None:
        """A step begins."""
        if self.steps == self.WARM_UP:
            self.start = self._now()
        self.steps += 1

    def stop(self) -> None:
        """The last step has been put into the queue."""
        self.end = self._now()

    def step_ms(self) -> float | None:
        """Milliseconds of a step between the warm-up and the end; None after too few steps."""
        timed = self.steps - self.WARM_UP
        if timed < self.LEAST:
            return None
        if self.device.type != "cuda":
            return 1e3 * (self.end - self.start) / timed
        self.end.synchronize()
        return self.start.elapsed_time(self.end) / timed

    def _now(self):
        if self.device.type != "cuda":
            return time.perf_counter()
        event = torch.cuda.Event(enable_timing=True)
        event.record()
        return event


def middle_and_ends(name: str, values: list[float]) -> str:
    """``NAME=median NAME_min=… NAME_max=…`` of a number that was measured several times."""
    ends = f"{name}_min={min(values):.0f} {name}_max={max(values):.0f}"
    return f"{name}={statistics.median(values):.0f} {ends}"


class Run:
    """The records of one training run."""

    def __init__(
        self, args: argparse.Namespace, rank: int = 0, first_epoch: int = 0, device: torch.device | None = None
    ):
        """Open ``args.runs/args.name``; ``first_epoch`` > 0 goes on with an older run, less its later lines.

        ``device``: where the training runs; steps are timed there.

        SystemExit with a message if the folder cannot be written.
        """
        self.folder, self.active, self.epochs = Path(args.runs) / args.name, rank == 0, args.epochs
        self.last: dict[str, float] = {}
        self._rates: list[float] = []
        self.clock = StepClock(device or torch.device("cpu"))
        self._steady: list[float] = []  # images/s between the start of an epoch and its end
        self._starts: list[float] = []  # milliseconds that an epoch takes besides its steps
        if not self.active:
            return
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            (self.folder / "config.json").write_text(json.dumps(vars(args), indent=1) + "\n", encoding="utf-8")
            self._keep_lines_before(first_epoch)
            self._file = open(self.folder / "metrics.jsonl", "a", encoding="utf-8", buffering=1)  # noqa: SIM115
        except OSError as error:
            raise SystemExit(
                f"metrics: cannot write into {self.folder.resolve()}: {error.strerror}\n"
                "  Choose a folder where you may write and where there is room: --runs DIR"
            ) from None
        if args.dataset == "synthetic":
            print("dataset=synthetic (random images and labels: for timing, nothing can be learnt)", flush=True)
        # Here, since it takes a second and only rank 0 needs it.
        from torch.utils.tensorboard import SummaryWriter

        self._board = SummaryWriter(str(self.folder), purge_step=first_epoch)

    def _keep_lines_before(self, first_epoch: int) -> None:
        path = self.folder / "metrics.jsonl"
        kept = []
        for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else []:
            try:
                row = json.loads(line)
                if row["epoch"] <= first_epoch:  # epochs count from 1 in the file
                    kept.append(line)
                    self.last = row
                    self._rates += [row["images_per_s"]] if row["images_per_s"] else []
            except (ValueError, KeyError):
                continue  # the last line of a killed run may be torn
        new = path.with_suffix(".tmp")
        new.write_text("".join(line + "\n" for line in kept), encoding="utf-8")
        os.replace(new, path)

    def bar(self, batches: Iterable, epoch: int) -> Iterable:
        """``batches`` with a progress bar: on rank 0 only, and only on a terminal (a log file needs none)."""
        disable = None if self.active else True
        words = {"desc": f"epoch {epoch + 1}/{self.epochs}", "unit": "batch", "leave": False, "disable": disable}
        return tqdm(self.clock.steps_of(batches), total=len(batches), **words)

    def epoch(self, epoch: int, images: int, seconds: float, values: dict[str, float]) -> None:
        """Record an epoch (from 0): ``images`` seen by all ranks in ``seconds``, and named ``values``.

        No images are left, or less than none (a last batch counts as a full one), where a run was stopped after the
        last step of an epoch: what then came of it has no rate.
        """
        rate = max(0, images) / seconds
        speed = {"images_per_s": round(rate, 1)}
        if step_ms := self.clock.step_ms():
            self._steady.append(1e3 * images / self.clock.steps / step_ms)
            speed["steady_images_per_s"] = round(self._steady[-1], 1)
            self._starts.append(1e3 * seconds - self.clock.steps * step_ms)
        if rate:
            self._rates.append(rate)
        self.last = values
        if not self.active:
            return
        row = {"epoch": epoch + 1, **values, **speed, "time": round(time.time(), 3)}
        try:
            self._file.write(json.dumps(row) + "\n")
            for name, value in [*values.items(), ("images_per_s", rate)]:
                self._board.add_scalar(name, value, epoch + 1)
        except OSError as error:  # a full disk should not end the training
            print(f"metrics: cannot write into {self.folder}: {error.strerror}", flush=True)
        text = " ".join(f"{name}={value:.4f}" for name, value in values.items())
        print(f"epoch {epoch + 1}/{self.epochs} {text} images_per_s={rate:.0f}", flush=True)

    def close(self) -> None:
        """Write what is still in memory."""
        if not self.active:
            return
        for file in (self._file, self._board):
            try:
                file.close()
            except OSError as error:
                print(f"metrics: cannot write into {self.folder}: {error.strerror}", flush=True)

    def result(self) -> None:
        """The last line: ``result: val_accuracy=… val_loss=… train_loss=… images_per_s=… epochs=…``.

        images_per_s is the median over the epochs, so that a slow first one does not count. Of long epochs
        (StepClock) also steady_images_per_s, the rate once a training runs, with the _min and _max of all
        epochs, and epoch_start_ms: what an epoch costs before that.
        """
        if not self.active:
            return
        self.close()
        names = ("val_accuracy", "val_loss", "train_loss")
        text = " ".join(f"{name}={self.last[name]:.4f}" for name in names if name in self.last)
        rate = f" images_per_s={statistics.median(self._rates):.0f}" if self._rates else ""
        if self._steady:
            rate += " " + middle_and_ends("steady_images_per_s", self._steady)
            rate += f" epoch_start_ms={statistics.median(self._starts):.0f}"
        print(f"result: {text}{rate} epochs={self.epochs}", flush=True)


def add_options(parser: argparse.ArgumentParser, name: str) -> None:
    """The options that say where the records go: the same in every program."""
    group = parser.add_argument_group("records")
    group.add_argument("--runs", default="runs", metavar="DIR", help="folder of all runs (default: runs)")
    group.add_argument("--name", default=name, help=f"folder of this run in it (default: {name})")
