"""Which images does this data loading process load?"""

import numpy as np


def share(images: int, epoch: int, seen: int, rank: int, ranks: int, worker: int, workers: int) -> list[int]:
    """Numbers of the images that worker ``worker`` of rank ``rank`` loads in this epoch, in its order.

    ``images``: of the data set, a multiple of ``ranks``. ``seen``: how many all ranks together have trained on in
    this epoch before the job was stopped; the order of an epoch is the same before and after the stop.
    """
    order = np.random.default_rng(epoch).permutation(images)  # on all ranks alike
    mine = order[seen:][rank::ranks]  # of what is left
    return mine[worker::workers].tolist()
