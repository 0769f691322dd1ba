"""Ask the learner's function for several jobs."""

import importlib.util
from pathlib import Path

# Images per second by workers of a rank: an invented node of 16 cores, and the two cores of book/data/feed_2cores.json.
SIXTEEN = {1: 410.0, 2: 815.0, 4: 1610.0, 8: 3150.0, 16: 6100.0}
TWO = {0: 665.0, 1: 683.0, 2: 1209.0, 4: 1235.0, 8: 1148.0}
CASES = [
    (SIXTEEN, 16, 1, 1200.0, (4, True), "4 workers bring 1610 images/s, more than the 1200 that the GPU takes."),
    (SIXTEEN, 16, 4, 3000.0, (4, False), "each of 4 ranks has 4 cores, and 4 workers bring 1610 of 3000 images/s."),
    (SIXTEEN, 16, 2, 3000.0, (8, True), "each of 2 ranks has 8 cores, and 8 workers bring 3150 images/s."),
    (TWO, 2, 1, 3000.0, (2, False), "4 workers would take turns on 2 cores, and the 2 % more are chance."),
    (TWO, 2, 2, 600.0, (0, True), "without any worker 665 images/s come, enough for this device."),
    (TWO, 2, 2, 670.0, (1, True), "each rank has one core, and one worker is enough."),
    (dict(reversed(SIXTEEN.items())), 16, 1, 300.0, (1, True), "one worker is enough, in whatever order they stand."),
]


def check(path: Path) -> list[str]:
    """What is wrong with ``choose`` in the file ``path``: empty if nothing."""
    spec = importlib.util.spec_from_file_location("learners_workers", path)
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
        for rates, cores, ranks, device, expected, reason in CASES:
            found = module.choose(dict(rates), cores, ranks, device)
            if tuple(found) != expected:
                job = f"{cores} cores, {ranks} ranks, {device:.0f} images/s a GPU"
                return [f"{job}: you chose {found}, and {expected} is right: {reason}"]
    except Exception as error:  # whatever the learner's file raises is what they need to read
        return [f"Your file stops with {type(error).__name__}: {error}"]
    return []
