"""Are the accumulated gradients those of the whole batch?"""

import copy
import importlib.util
from pathlib import Path

IMAGES, TOLERANCE = 64, 1e-5


def check(path: Path) -> list[str]:
    """What is wrong with the gradients that ``accumulate`` of the file ``path`` leaves: empty if nothing."""
    import torch
    import torch.nn.functional as F

    spec = importlib.util.spec_from_file_location("learners_accumulate", path)
    module = importlib.util.module_from_spec(spec)
    torch.manual_seed(1)
    whole = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(64, 32), torch.nn.ReLU(), torch.nn.Linear(32, 10))
    images, labels = torch.randn(IMAGES, 1, 8, 8), torch.randint(0, 10, (IMAGES,))
    F.cross_entropy(whole(images), labels).backward()
    model, seen = copy.deepcopy(whole), []
    model.register_forward_hook(lambda _module, inputs, _output: seen.append(len(inputs[0])))
    try:
        spec.loader.exec_module(module)
        for piece in (16, 24):
            seen.clear()
            module.accumulate(model, images, labels, piece)
            if problem := _problem(model, whole, seen, piece):
                return [problem]
    except Exception as error:  # whatever the learner's file raises is what they need to read
        return [f"{type(error).__name__}: {error}"]
    return []


def _problem(model, whole, seen: list[int], piece: int) -> str:
    """What is wrong after a batch in pieces of ``piece`` images; ``seen``: the images of each forward pass."""
    where = f"{IMAGES} images in pieces of {piece}"
    if max(seen, default=0) > piece:
        return f"{where}: {max(seen)} images went through the model at once."
    if sum(seen) != IMAGES:
        return f"{where}: {sum(seen)} images went through the model."
    pairs = [(a.grad, b.grad) for a, b in zip(model.parameters(), whole.parameters(), strict=True)]
    if any(mine is None for mine, _ in pairs):
        return f"{where}: a parameter has no gradient at the end."
    if all((mine - right).abs().max() < TOLERANCE for mine, right in pairs):
        return ""
    ratio = (sum((mine * right).sum() for mine, right in pairs) / sum((right**2).sum() for _, right in pairs)).item()
    return (
        f"{where}: the gradients are not those of the whole batch; along its direction they are {ratio:.2f} times as "
        "long. Do they add up over all pieces, from zero, and does each image count the same?"
    )
