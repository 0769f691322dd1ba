"""Do the ranks share all images without a repetition, in another order in each epoch?"""

import importlib.util
from collections import Counter
from pathlib import Path

WORLD_SIZE, IMAGES, EPOCHS = 4, 64, 3


def check(path: Path) -> list[str]:
    """What is wrong with the orders that ``train_order`` of the file ``path`` gives: empty if nothing."""
    spec = importlib.util.spec_from_file_location("learners_order", path)
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
        orders = [module.train_order(rank, WORLD_SIZE, IMAGES, EPOCHS) for rank in range(WORLD_SIZE)]
        again = module.train_order(0, WORLD_SIZE, IMAGES, EPOCHS)
    except Exception as error:  # whatever the learner's file raises is what they need to read
        return [f"{type(error).__name__}: {error}"]
    if any(len(of_rank) != EPOCHS for of_rank in orders):
        return [f"train_order should return one list for each of the {EPOCHS} epochs."]
    problems = _shares(orders) + _changes(orders)
    if orders[0] != again:
        problems.append("Two runs give two orders: seed the sampler with a fixed number.")
    return problems


def _shares(orders: list[list[list[int]]]) -> list[str]:
    for epoch in range(EPOCHS):
        counts = Counter(number for of_rank in orders for number in of_rank[epoch])
        repeated = sum(1 for times in counts.values() if times > 1)
        missing = IMAGES - len(counts)
        if repeated or missing:
            return [
                f"Epoch {epoch}: of {IMAGES} images, {repeated} come more than once and {missing} never. "
                "Each rank shuffles with a seed of its own, so their shares overlap."
            ]
    return []


def _changes(orders: list[list[list[int]]]) -> list[str]:
    first = orders[0]
    if all(order == first[0] for order in first):
        return [f"Rank 0 has the same order in all epochs: {first[0][:5]} … each time."]
    if len({tuple(order) for order in first}) < EPOCHS:
        return ["Two epochs have the same order."]
    return []
