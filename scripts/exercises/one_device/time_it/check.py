"""Does the learner's clock agree with the device's own record of its work?"""

import importlib.util
import time
from concurrent.futures import Future, ThreadPoolExecutor, wait
from pathlib import Path

STEPS, STEP_S, FIRST_S = 20, 0.01, 0.3


class Device:
    """A thread that works through a queue: the first step takes longer, and each one is recorded."""

    def __init__(self):
        self._thread = ThreadPoolExecutor(1)
        self._queued: list[Future] = []
        self.seconds: list[float] = []

    def step(self) -> None:
        self._queued.append(self._thread.submit(self._work))

    def wait(self) -> None:
        wait(self._queued)

    def _work(self) -> None:
        start = time.perf_counter()
        time.sleep(STEP_S if self.seconds else FIRST_S)
        self.seconds.append(time.perf_counter() - start)


def check(path: Path) -> list[str]:
    """What is wrong with the seconds that the file ``path`` measures: empty if nothing."""
    spec = importlib.util.spec_from_file_location("learners_clock", path)
    module = importlib.util.module_from_spec(spec)
    device = Device()
    try:
        spec.loader.exec_module(module)
        measured = module.seconds_per_step(device.step, device.wait, STEPS)
    except Exception as error:  # whatever the learner's file raises is what they need to read
        return [f"{type(error).__name__}: {error}"]
    device.wait()
    if len(device.seconds) < STEPS + 1:
        return [f"The device ran {len(device.seconds)} steps: {STEPS} to measure and none to warm up."]
    true = sum(device.seconds[-STEPS:]) / STEPS
    found = f"You measured {measured * 1e3:.2f} ms for a step, the device worked {true * 1e3:.2f} ms."
    if measured < 0.9 * true:
        return [f"{found} Steps were still in the queue when you read the clock."]
    # A busy machine may add pauses between two steps; the first step alone would add 15 ms to each.
    if measured > 1.5 * true + 0.002:
        return [f"{found} Something else was measured too: the first step, or what it left in the queue."]
    return []
