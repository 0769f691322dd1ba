"""Has the checker nothing more to say, and has each of the eight processes a rank of its own?

The script is rehearsed twice with a ``python`` that only notes its environment.
"""

import runpy
from pathlib import Path

from workshop.jobs import read_script
from workshop.jobs.check import check as check_script
from workshop.rehearse import CannotRehearse

LAUNCHED = runpy.run_path(str(Path(__file__).parents[2] / "ddp_many_nodes" / "launched.py"))
NODES, GPUS, CORES = 2, 4, 16
RANKS = NODES * GPUS


def check(path: Path) -> list[str]:
    """What is still wrong with the Slurm job script ``path``: one sentence each, empty if nothing."""
    script = read_script(path, scheduler="slurm")
    findings = check_script(script).of("error", "warning")
    problems = [f"Line {finding.line}: {finding.message}" for finding in findings]
    problems += LAUNCHED["problems_of_request"](script.request, NODES, GPUS, CORES)
    return problems or _rehearsed(path)


def _rehearsed(path: Path) -> list[str]:
    try:
        first, second = LAUNCHED["start"](path), LAUNCHED["start"](path)
    except CannotRehearse as reason:
        return [str(reason)]
    seen, later = ([call["env"] for call in job.of("python", "train.py")] for job in (first, second))
    if len(seen) != RANKS or len(later) != RANKS:
        few = f"python train.py is started {len(seen)} time(s): keep one for each of {RANKS} GPUs."
        return [first.failure or few]
    return _numbers(seen) + _address(seen, later, first.first_host)


def _numbers(seen: list[dict]) -> list[str]:
    """Is every process told who it is? Slurm's own variables say who it really is."""
    problems = []
    for name, truth in (("RANK", "SLURM_PROCID"), ("LOCAL_RANK", "SLURM_LOCALID")):
        told = sorted(env.get(name, "") for env in seen)
        if any(env.get(name) != env[truth] for env in seen):
            given = ", ".join(told) if any(told) else "none"
            problems.append(f"The eight processes see these values of {name}: {given}. Each needs its own {truth}.")
    if any(env.get("WORLD_SIZE") != str(RANKS) for env in seen):
        problems.append(f"WORLD_SIZE should be {RANKS} in every process: train.py reads it.")
    return problems


def _address(seen: list[dict], later: list[dict], first_host: str) -> list[str]:
    """Do all of them get one address, and those of another job another port?"""
    hosts, ports = ({env.get(name, "") for env in seen} for name in ("MASTER_ADDR", "MASTER_PORT"))
    if len(hosts) > 1 or len(ports) > 1:
        return ["The processes get different values of MASTER_ADDR or MASTER_PORT, so they cannot meet."]
    master = LAUNCHED["master_problems"](hosts.pop(), first_host)
    return master + LAUNCHED["port_problems"](ports.pop(), later[0].get("MASTER_PORT", ""))
