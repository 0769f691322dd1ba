"""Run the learner's benchmark on a device that exists only in numbers: nothing on this machine can disturb it."""

import importlib.util
from pathlib import Path

FIRST_S, STEP_S, LAUNCH_S, RANK_BATCH, STEPS, REPEATS = 2.0, 0.05, 0.001, 64, 20, 5


class Device:
    """A queue with its own clock. Its first step takes 2 s; during one measurement steps take three times as long."""

    def __init__(self):
        self.now, self.done_at, self.count = 0.0, 0.0, 0

    def step(self) -> None:
        self.now += LAUNCH_S
        slow = 3 if 65 <= self.count < 65 + STEPS else 1
        seconds = STEP_S * slow if self.count else FIRST_S
        self.done_at = max(self.now, self.done_at) + seconds
        self.count += 1

    def wait(self) -> None:
        self.now = max(self.now, self.done_at)

    def clock(self) -> float:
        return self.now


def check(path: Path) -> list[str]:
    """What is wrong with ``images_per_second`` in the file ``path``: empty if nothing."""
    spec = importlib.util.spec_from_file_location("learners_benchmark", path)
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
        for ranks in (1, 4):
            device = Device()
            step, wait, clock = device.step, device.wait, device.clock
            found = module.images_per_second(step, wait, clock, RANK_BATCH, ranks, STEPS, REPEATS)
            problem = _problem(found, RANK_BATCH * ranks / STEP_S, ranks, device.count)
            if problem:
                return [problem]
    except Exception as error:  # whatever the learner's file raises is what they need to read
        return [f"Your file stops with {type(error).__name__}: {error}"]
    return []


def _problem(found: float, true: float, ranks: int, steps: int) -> str:
    said = f"On {ranks} rank{'s' if ranks > 1 else ''} you measured {found:.0f} images/s; in truth it is {true:.0f}."
    if steps <= STEPS * REPEATS:
        return f"{said} The device did {steps} steps: {STEPS * REPEATS} to measure and none to warm up."
    if found > 1.05 * true:
        return f"{said} Steps were still in the queue when you read the clock."
    if abs(found - true / ranks) < 0.05 * true / ranks and ranks > 1:
        return f"{said} Only the images of one rank were counted."
    if found < 0.95 * true:
        return f"{said} Something else counted too: the slow first step, or the measurement that was disturbed."
    return ""
