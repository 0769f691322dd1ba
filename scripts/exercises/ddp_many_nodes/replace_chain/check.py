"""Is the if-chain gone, and does the same command start the ranks of both nodes?"""

import re
import runpy
from pathlib import Path

LAUNCHED = runpy.run_path(str(Path(__file__).parents[1] / "launched.py"))


def check(path: Path) -> list[str]:
    """What is still wrong with the Slurm job script ``path``: one sentence each, empty if nothing."""
    commands = [line for line in path.read_text().splitlines() if not line.lstrip().startswith("#")]
    if any(re.match(r"\s*(el)?if\b", line) for line in commands):
        return ["The if-chain is still there: let srun start the same torchrun on every node."]
    return LAUNCHED["problems_of_torchrun"](path, nodes=2, gpus=2, cores=8)
