"""Compare the learner's ``largest_batch`` with the arithmetic of the page."""

import importlib.util
from pathlib import Path

GIB = 2**30
# (parameters, saved bytes an image, GiB of the GPU, what it is)
CASES = [
    (25_557_032, 85_913_512, 16, "ResNet-50 on a T4"),
    (25_557_032, 85_913_512, 80, "ResNet-50 on an H100"),
    (1_500_000_000, 2_000_000_000, 40, "1.5 billion parameters on an A100"),
    (7_000_000_000, 4_000_000_000, 80, "7 billion parameters on an H100"),
]


def _right(parameters: int, saved: int, gib: float) -> int:
    return max(0, int((0.9 * gib * GIB - 16 * parameters) // saved))


def check(path: Path) -> list[str]:
    """What is wrong with the function in the Python file ``path``, one sentence each."""
    try:
        spec = importlib.util.spec_from_file_location("learners_batch", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        largest_batch = module.largest_batch
    except Exception as error:  # whatever the learner's file raises is what they need to read
        return [f"The file does not load: {type(error).__name__}: {error}"]
    for parameters, saved, gib, name in CASES:
        try:
            answer = largest_batch(parameters, saved, gib)
        except Exception as error:
            return [f"{name}: it raises {type(error).__name__}: {error}"]
        right = _right(parameters, saved, gib)
        if abs(answer - right) <= 1 and answer >= 0 and (answer > 0) == (right > 0):  # rounding differs
            continue
        if answer < 0:
            return [f"{name}: it says {answer}. If the model alone is too large, the answer is 0."]
        if answer == int((gib * GIB - 4 * parameters) // saved):
            return [f"{name}: it says {answer}. Gradients, Adam's two averages and the reserve of 10 % are missing."]
        if answer == int((0.9 * gib * GIB - 4 * parameters) // saved):
            return [f"{name}: it says {answer}. A step keeps more for each weight than the weight itself."]
        return [f"{name}: it says {answer}, not {right}. Each weight takes 16 bytes in all; 90 % of the card count."]
    return []
