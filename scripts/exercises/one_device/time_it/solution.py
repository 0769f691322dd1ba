"""How long does one step take on a device that works through a queue?"""

import time
from collections.abc import Callable


def seconds_per_step(step: Callable[[], None], wait: Callable[[], None], steps: int) -> float:
    """Mean seconds that the device works on a step, measured over ``steps`` of them.

    ``step()`` puts the work of one step into the device's queue and returns at once, as PyTorch does on a GPU. The
    first step is slow: the device prepares itself. ``wait()`` returns when the queue is empty; on a GPU it is
    ``torch.cuda.synchronize``.
    """
    step()  # warm up: this one does not count
    wait()  # nothing of it may be left in the queue when the clock starts
    start = time.perf_counter()
    for _ in range(steps):
        step()
    wait()  # queued is not done
    return (time.perf_counter() - start) / steps
