"""Compare the learner's table with the definition, on the published runs and on others."""

import importlib.util
import json
from pathlib import Path

CASES = {
    "the published runs": [(1, 363.4), (4, 93.7), (8, 55.7)],
    "runs in another order": [(8, 47.0), (1, 309.7), (4, 85.2)],
    "runs without one on a single GPU": [(16, 60.0), (4, 200.0)],
}


def check(path: Path) -> list[str]:
    """What is wrong with ``table`` in the file ``path``: empty if nothing."""
    spec = importlib.util.spec_from_file_location("learners_table", path)
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
        for name, runs in CASES.items():
            found = module.table(json.dumps([{"gpus": gpus, "seconds": seconds} for gpus, seconds in runs]))
            problem = _problem(found, sorted(runs))
            if problem:
                return [f"For {name}: {problem}"]
    except Exception as error:  # whatever the learner's file raises is what they need to read
        return [f"Your file stops with {type(error).__name__}: {error}"]
    return []


def _problem(found: list[dict], runs: list[tuple[int, float]]) -> str:
    if [row["gpus"] for row in found] != [gpus for gpus, _ in runs]:
        return f"the rows should be for {', '.join(str(gpus) for gpus, _ in runs)} GPUs, in this order."
    for row, (gpus, seconds) in zip(found, runs, strict=True):
        speed_up = runs[0][0] * runs[0][1] / seconds
        for name, expected in (("speed_up", speed_up), ("efficiency", speed_up / gpus)):
            if abs(row[name] - expected) > 0.005 * expected:
                hint = " (a share between 0 and 1, please)" if name == "efficiency" and row[name] > 1.2 else ""
                return f"{name} on {gpus} GPUs is {row[name]:.3f}, expected {expected:.3f}{hint}."
    return ""
