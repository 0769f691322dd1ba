"""Speed-up and efficiency of a training, from the run times on different numbers of GPUs."""

import json

# Seconds of the same training on V100 GPUs, as a research group published them.
RUNS = '[{"gpus": 1, "seconds": 363.4}, {"gpus": 4, "seconds": 93.7}, {"gpus": 8, "seconds": 55.7}]'


def table(text: str) -> list[dict]:
    """Rows of ``gpus``, ``speed_up`` and ``efficiency``, by number of GPUs, from the JSON ``text``.

    ``text`` lists runs in any order. If no run used one GPU, compare with the run on the fewest, as if a single one of
    its GPUs did its share: that run has the efficiency 1 and a speed-up equal to its number of GPUs.
    """
    runs = sorted(json.loads(text), key=lambda run: run["gpus"])
    one_gpu = runs[0]["seconds"] * runs[0]["gpus"]
    rows = []
    for run in runs:
        speed_up = one_gpu / run["seconds"]
        rows.append({"gpus": run["gpus"], "speed_up": speed_up, "efficiency": speed_up / run["gpus"]})
    return rows
