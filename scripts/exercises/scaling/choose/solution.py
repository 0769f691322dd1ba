"""How many GPUs should I ask for?"""


def choose(rates: dict[int, float], images: float, budget: float, threshold: float = 0.7) -> int | None:
    """The number of GPUs that trains on ``images`` images soonest, within two limits; None if there is none.

    ``rates``: number of GPUs -> measured images per second, always with one GPU. The limits: an efficiency of at least
    ``threshold``, and a cost of at most ``budget`` GPU hours.
    """
    fitting = []
    for gpus, rate in rates.items():
        hours = images / rate / 3600
        if rate / (gpus * rates[1]) >= threshold and gpus * hours <= budget:
            fitting.append((hours, gpus))
    return min(fitting)[1] if fitting else None
