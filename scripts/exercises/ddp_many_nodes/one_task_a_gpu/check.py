"""Does srun start one python for each GPU, each with a rank of its own and its share of the cores?"""

import runpy
from pathlib import Path

from workshop.jobs import read_script
from workshop.rehearse import CannotRehearse

LAUNCHED = runpy.run_path(str(Path(__file__).parents[1] / "launched.py"))
NODES, GPUS, CORES = 2, 4, 16


def check(path: Path) -> list[str]:
    """What is still wrong with the Slurm job script ``path``: one sentence each, empty if nothing."""
    problems = LAUNCHED["problems_of_request"](read_script(path, scheduler="slurm").request, NODES, GPUS, CORES)
    try:
        job = LAUNCHED["start"](path)
    except CannotRehearse as reason:
        return [*problems, str(reason)]
    if job.of("torchrun"):
        return [*problems, "It still starts torchrun: srun itself shall start the ranks."]
    ranks = job.of("python") + job.of("python3")
    if len(ranks) != NODES * GPUS:
        problems.append(job.failure or f"It starts {len(ranks)} rank(s) for {NODES * GPUS} GPUs.")
    elif sorted(int(rank["env"].get("SLURM_PROCID", -1)) for rank in ranks) != list(range(NODES * GPUS)):
        problems.append("The ranks are not tasks of one srun: each needs a SLURM_PROCID of its own.")
    if any("RANK" in rank["env"] for rank in ranks):
        problems.append("RANK is the same for all tasks here: leave it out, launch.py asks srun.")
    return problems
