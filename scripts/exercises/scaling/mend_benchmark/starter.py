"""Images per second of a training on several GPUs: this benchmark reports 50 times the truth."""

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
    best = 0.0
    for _ in range(repeats):
        start = clock()
        for _ in range(steps):
            step()
        best = max(best, rank_batch * steps / (clock() - start))
    return best
