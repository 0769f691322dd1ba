"""Images per second of a training on several GPUs."""

import statistics
from collections.abc import Callable


def images_per_second(
    step: Callable[[], None],
    wait: Callable[[], None],
    clock: Callable[[], float],
    rank_batch: int,
    ranks: int,
    steps: int = 20,
    repeats: int = 5,
) -> float:
    """Images per second of all ranks, typical of the training once it is under way.

    ``step()`` puts one step on ``rank_batch`` images into this rank's queue and returns at once; ``wait()`` returns
    when the queue is empty; ``clock()`` gives seconds. The first step is slow, and at times another program disturbs
    a measurement: the typical value is wanted, from ``repeats`` measurements of ``steps`` steps.
    """
    for _ in range(3):
        step()  # warm up
    wait()
    rates = []
    for _ in range(repeats):
        start = clock()
        for _ in range(steps):
            step()
        wait()  # queued is not done
        rates.append(rank_batch * ranks * steps / (clock() - start))
    return statistics.median(rates)
