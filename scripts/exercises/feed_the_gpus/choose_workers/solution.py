"""How many workers for each rank, and is the GPU fed then?"""


def choose(rates: dict[int, float], cores: int, ranks: int, device: float) -> tuple[int, bool]:
    """The number of workers of each rank, and whether the device, and not the input, sets the pace.

    ``rates``: number of workers of one rank -> images per second that they bring, as measure_feed.py found them;
    ``cores``: of the job, shared by its ``ranks``; ``device``: images per second that one GPU trains without an input.
    """
    possible = {workers: rate for workers, rate in rates.items() if workers <= cores // ranks}
    enough = [workers for workers, rate in possible.items() if rate > device]
    if enough:
        return min(enough), True
    return max(possible, key=possible.get), False
