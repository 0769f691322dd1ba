"""How long does one step take on a device that works through a queue? Two mistakes make this answer wrong."""

import time
from collections.abc import Callable


def seconds_per_step(step: Callable[[], None], wait: Callable[[], None], steps: int) -> float:
    """Mean seconds that the device works on a step, measured over ``steps`` of them.

    ``step()`` puts the work of one step into the device's queue and returns at once, as PyTorch does on a GPU. The
    first step is slow: the device prepares itself. ``wait()`` returns when the queue is empty; on a GPU it is
    ``torch.cuda.synchronize``.
    """
    start = time.perf_counter()
    for _ in range(steps):
        step()
    return (time.perf_counter() - start) / steps
