"""Do the torchruns of two nodes meet, one on each, without meeting those of another job?"""

import runpy
from pathlib import Path

LAUNCHED = runpy.run_path(str(Path(__file__).parents[1] / "launched.py"))


def check(path: Path) -> list[str]:
    """What is still wrong with the Slurm job script ``path``: one sentence each, empty if nothing."""
    return LAUNCHED["problems_of_torchrun"](path, nodes=2, gpus=4, cores=16)
