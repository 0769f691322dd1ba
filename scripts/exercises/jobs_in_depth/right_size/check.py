"""Does the script ask for what the last run used, and a margin?"""

from pathlib import Path

from workshop.jobs import JobRequest, read_script

USED_MEMORY = 5.1 * 1024**3  # bytes
USED_SECONDS = 41 * 60
LEAST, MOST = 1.1, 1.6  # times what was used


def check(path: Path) -> list[str]:
    """What is still wrong with the job script ``path`` (Slurm, PBS or LSF): empty if nothing."""
    request = read_script(path).request
    return [problem for rule in (_cores, _memory, _time) if (problem := rule(request))]


def _cores(request: JobRequest) -> str | None:
    cores = request.cpus_total or (request.tasks or 1) * (request.cpus_per_task or 1)
    return None if cores == 1 else f"The job holds {cores} cores, and the program keeps one busy."


def _memory(request: JobRequest) -> str | None:
    if request.mem is None:
        return "The job does not say how much memory it needs, so the site decides."
    if request.mem.value is None:
        return "The memory has no unit, and only the site knows which one it takes: write it, such as 6GB."
    return _margin("memory", request.mem.value / USED_MEMORY)


def _time(request: JobRequest) -> str | None:
    if request.time_s is None:
        return "The job sets no time limit, so the site decides."
    return _margin("time", request.time_s / USED_SECONDS)


def _margin(what: str, times: float) -> str | None:
    if times < LEAST:
        return f"The {what} is {times:.2f} times what the last run used: a slower run would be ended."
    if times > MOST:
        return f"The {what} is {times:.1f} times what the last run used: the job waits longer than it must."
    return None
