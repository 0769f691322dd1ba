"""Stop the training after two of four epochs, go on, and compare the weights with those of an undisturbed run."""

import importlib.util
import tempfile
from pathlib import Path

STOP, EPOCHS = 2, 4


def check(path: Path) -> list[str]:
    """What is still wrong with ``save`` and ``load`` in the Python file ``path``: empty if nothing."""
    import torch

    program = _import(path)
    state_before = torch.get_rng_state()
    try:
        with tempfile.TemporaryDirectory() as folder:
            undisturbed = program.train(Path(folder) / "undisturbed.pt", EPOCHS)
            checkpoint = Path(folder) / "stopped.pt"
            program.train(checkpoint, STOP)
            saved = torch.load(checkpoint, weights_only=True)
            torch.rand(7)  # a new job draws other numbers before it loads
            resumed = program.train(checkpoint, EPOCHS)
    finally:
        torch.set_rng_state(state_before)
    pairs = zip(undisturbed.parameters(), resumed.parameters(), strict=True)
    difference = max((a - b).abs().max().item() for a, b in pairs)
    if difference == 0:
        return []
    return [
        f"Stopped after {STOP} of {EPOCHS} epochs and resumed, the weights differ by up to {difference:.2g} "
        "from those of the undisturbed run: they should be equal bit for bit.",
        *_missing(saved),
    ]


def _missing(saved: dict) -> list[str]:
    """What to look for, from what the checkpoint holds."""
    import torch

    texts = {name: _keys(value) for name, value in saved.items()}
    everything = " ".join([*saved, *texts.values()])
    hints = []
    if "momentum_buffer" not in everything:
        hints.append("The checkpoint has no momentum: what remembers the direction of the last steps?")
    if "last_epoch" not in everything:
        hints.append("The checkpoint does not say how far the learning rate has gone down.")
    if not any(isinstance(value, torch.Tensor) and value.dtype == torch.uint8 for value in saved.values()):
        hints.append("The checkpoint has no state of the random numbers: order of the images and dropout start anew.")
    return hints or ["All parts seem to be saved: does load() put each of them back?"]


def _keys(value) -> str:
    if not isinstance(value, dict):
        return ""
    return " ".join(f"{key} {_keys(inner)}" for key, inner in value.items())


def _import(path: Path):
    spec = importlib.util.spec_from_file_location("whole_state", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
