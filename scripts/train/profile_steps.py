"""A profiler's trace of three steps in the middle of a real training, on rank 0 only.

profile = profile_steps.StepProfile(100, Path("runs/mine"), device)  # after 100 steps
…
profile.step()  # after each step, on every rank
profile.close()
"""

import os
from pathlib import Path

import torch
from torch.profiler import ProfilerActivity

WARM_UP, STEPS = 2, 3  # the profiler's first steps are slow: two run under it before it records


class StepProfile:
    """Writes ``trace-N.json`` of three steps after the first N into ``folder``; does nothing where N is None."""

    def __init__(self, first: int | None, folder: Path, device: torch.device, rank: int = 0):
        """``first``: so many steps of this process pass before (2 or more)."""
        self.path, self.profiler = folder / f"trace-{first}.json", None
        if first is None or rank != 0:
            return
        activities = [ProfilerActivity.CPU]
        if device.type == "cuda":
            activities.append(ProfilerActivity.CUDA)
        else:  # without a GPU the profiler's library reports just that, as an error
            os.environ.setdefault("KINETO_LOG_LEVEL", "99")
        self.last = first + STEPS
        when = torch.profiler.schedule(skip_first=first - WARM_UP, wait=0, warmup=WARM_UP, active=STEPS, repeat=1)
        self.profiler = torch.profiler.profile(activities=activities, schedule=when, on_trace_ready=self._write)
        self.profiler.start()

    def _write(self, profiler: torch.profiler.profile) -> None:
        try:
            profiler.export_chrome_trace(str(self.path))
            print(f"trace of {STEPS} steps: {self.path}", flush=True)
        except (OSError, RuntimeError) as error:  # a full disk should not end the training
            print(f"no trace: cannot write {self.path}: {error}", flush=True)

    def step(self) -> None:
        """A step of the training is over."""
        if self.profiler:
            self.profiler.step()

    def close(self) -> None:
        """The training is over: say so if it was too short for the trace."""
        if self.profiler:
            done = self.profiler.step_num
            if done < self.last:
                self.profiler.on_trace_ready = None  # stop() would hand over a part
                print(f"no trace: the training ended after {done} steps, before step {self.last}", flush=True)
            self.profiler.stop()
