"""Does the job start one rank on each of its four GPUs, on a free port, and leave the scheduler's choice alone?"""

import re
from pathlib import Path

from workshop.jobs import JobRequest, read_script

GPUS, CORES = 4, 16


def check(path: Path) -> list[str]:
    """What is still wrong with the Slurm job script ``path``: one sentence each, empty if nothing."""
    script = read_script(path, scheduler="slurm")
    commands = [line.partition(" #")[0] for line in _joined(script.body) if not line.lstrip().startswith("#")]
    launch = next((line for line in commands if "scripts/train/ddp.py" in line), None)
    if launch is None:
        return ["No line of the script starts scripts/train/ddp.py."]
    problems = _request(script.request) + _ranks(script.request, launch)
    if any(re.search(r"\bCUDA_VISIBLE_DEVICES=", line) for line in commands):
        problems.append("It overwrites CUDA_VISIBLE_DEVICES: Slurm sets it to the GPUs that the job got.")
    if any(re.search(r"(--master[-_]port|MASTER_PORT|--rdzv[-_]endpoint)\S*[= :]\d{4,5}\b", line) for line in commands):
        problems.append("It uses a port with a fixed number: let torchrun --standalone pick a free one.")
    return problems


def _joined(body: str) -> list[str]:
    """Lines of the script, continued ones joined."""
    return body.replace("\\\n", " ").splitlines()


def _request(request: JobRequest) -> list[str]:
    problems = []
    if request.nodes != 1 or request.gpus_per_node != GPUS:
        problems.append(f"It should ask for one node with {GPUS} GPUs: --nodes=1 and --gpus-per-node={GPUS}.")
    cores = (request.tasks_per_node or request.tasks or 1) * (request.cpus_per_task or 1)
    if cores != CORES:
        problems.append(f"It asks for {cores} cores (tasks times cores of a task) instead of {CORES}.")
    return problems


def _ranks(request: JobRequest, launch: str) -> list[str]:
    """Tasks that srun starts, times the ranks that each torchrun starts, must be the number of GPUs."""
    tasks = (request.tasks_per_node or request.tasks or 1) if re.search(r"\bsrun\b", launch) else 1
    ranks = 1
    if "torchrun" in launch or "torch.distributed.run" in launch:
        given = re.search(r"--nproc[-_]per[-_]node[= ]\"?(\d+|gpu|auto|\$\{?SLURM_GPUS_ON_NODE\b)", launch)
        if given is None:
            return ["The line with torchrun does not say how many ranks it starts: --nproc-per-node."]
        ranks = int(given[1]) if given[1].isdigit() else GPUS
    if tasks * ranks == GPUS:
        return []
    return [
        f"It starts {tasks * ranks} rank(s) for {GPUS} GPUs: "
        f"{tasks} task(s) run the launch line, and each starts {ranks}."
    ]
