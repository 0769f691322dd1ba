"""Ask the learner's function for several trainings and budgets."""

import importlib.util
from pathlib import Path

# Images per second as measured on H100s: strong scaling that ends, weak scaling that goes on.
STRONG = {1: 3883.0, 2: 6695.0, 4: 6130.0}
WEAK = {4: 15466.0, 1: 3883.0, 2: 7742.0}
IMAGES = 115e6
CASES = [
    (STRONG, IMAGES, 100.0, 0.7, 2, "4 GPUs have an efficiency of 39 %, below the threshold."),
    (STRONG, IMAGES, 9.0, 0.7, 1, "2 GPUs cost 9.5 GPU hours, more than the budget of 9."),
    (STRONG, IMAGES, 100.0, 0.3, 2, "with a threshold of 30 % all are allowed, but 4 GPUs are slower than 2."),
    (STRONG, IMAGES, 5.0, 0.7, None, "one GPU needs 8.2 GPU hours: nothing fits a budget of 5."),
    (WEAK, IMAGES, 8.3, 0.9, 4, "all three cost about 8.2 GPU hours, and 4 GPUs are the fastest."),
    (WEAK, 10 * IMAGES, 8.3, 0.9, None, "ten times the images cost ten times the hours."),
]


def check(path: Path) -> list[str]:
    """What is wrong with ``choose`` in the file ``path``: empty if nothing."""
    spec = importlib.util.spec_from_file_location("learners_choice", path)
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
        for rates, images, budget, threshold, expected, reason in CASES:
            found = module.choose(dict(rates), images, budget, threshold)
            if found != expected:
                return [f"You chose {found} where {expected} is right: {reason}"]
    except Exception as error:  # whatever the learner's file raises is what they need to read
        return [f"Your file stops with {type(error).__name__}: {error}"]
    return []
