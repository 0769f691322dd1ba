"""Does the header fit what the test of the program showed? For Slurm, PBS and LSF."""

from pathlib import Path

from workshop.jobs import JobRequest, Script, read_script

GB = 1000**3
CORES = 4  # three loaders and the program itself
MEMORY = (8 * GB, 13 * GB)  # 6 GB and half as much again, in units of 1000 or 1024
MINUTES = (35, 60)  # 3000 / 200 tests of two minutes are 30, and a quarter more


def check(path: Path) -> list[str]:
    """What is still wrong with the job script ``path`` (Slurm, PBS or LSF): empty if nothing."""
    script = read_script(path)
    return [problem for rule in (_processes, _gpus, _cores, _memory, _time) if (problem := rule(script))]


def _processes(script: Script) -> str | None:
    request = script.request
    several = request.tasks if script.scheduler in ("slurm", "pbs") else None  # LSF's slots are cores
    if request.nodes not in (None, 1) or several not in (None, 1):
        return "The program is started once, and starts its loaders itself: one task (PBS: one rank) on one node."
    if script.scheduler == "lsf" and request.nodes is None:
        return 'Its processes must be on one node: -R "span[hosts=1]".'
    return None


def _gpus(script: Script) -> str | None:
    gpus = script.request.gpus_total or script.request.gpus_per_node or 0
    return None if gpus == 1 else f"The test ran on one GPU, and the job asks for {gpus}."


def _cores(script: Script) -> str | None:
    cores = _all_cores(script.request)
    return None if cores == CORES else f"Three loaders and the program itself keep {CORES} cores busy, not {cores}."


def _all_cores(request: JobRequest) -> int:
    return request.cpus_total or (request.tasks or 1) * (request.cpus_per_task or 1)


def _memory(script: Script) -> str | None:
    memory = script.request.mem
    if memory is None or not memory.value:
        return "Name the memory: all of a node, or what the site gives by default, is not what the test showed."
    whole = memory.value * (_all_cores(script.request) if memory.scope == "per_cpu" else 1)
    # LSF: for each host or for each slot, as the site counts.
    meant = [whole] if memory.scope else [whole, whole * _all_cores(script.request)]
    if any(MEMORY[0] <= amount <= MEMORY[1] for amount in meant):
        return None
    much = "little" if whole < MEMORY[0] else "much"
    return f"{whole / GB:.1f} GB is too {much}: 6 GB were filled, and half as much again is 9."


def _time(script: Script) -> str | None:
    seconds = script.request.time_s
    if not seconds:
        return "Set a time limit: 15 times the test of two minutes, and a quarter more."
    if MINUTES[0] * 60 <= seconds <= MINUTES[1] * 60:
        return None
    return f"{seconds / 60:.0f} minutes: the test says 30 for all 3000 steps, and a quarter more as margin is 38."
