"""Does the job script ask for four cores on one node, for ten minutes, with a name and a log of its own?"""

from pathlib import Path

from workshop.jobs import JobRequest, Script, read_script

WANTED_CORES = 4
WANTED_SECONDS = 10 * 60


def check(path: Path) -> list[str]:
    """What is still wrong with the job script ``path`` (Slurm, PBS or LSF): empty if nothing."""
    script = read_script(path)
    return [problem for rule in (_name, _cores, _time, _log, _ignored) if (problem := rule(script))]


def _name(script: Script) -> str | None:
    name = script.request.job_name
    if name is None:
        return "The job has no name of its own: add the directive that names it."
    if name == "hello":
        return "The job is still called hello: give it a name of your own."
    return None


def _cores(script: Script) -> str | None:
    request = script.request
    cores = _total_cores(request)
    if cores != WANTED_CORES:
        return f"The job asks for {cores} core{'s' * (cores != 1)}, not {WANTED_CORES}."
    alone = script.scheduler == "slurm" and request.tasks in (None, 1)
    if request.nodes != 1 and not alone:
        return (
            "The cores may be on several nodes, where one process can use only those of its own: "
            "ask for one node (Slurm --cpus-per-task=4, PBS select=1:ncpus=4, LSF span[hosts=1])."
        )
    return None


def _total_cores(request: JobRequest) -> int:
    return request.cpus_total or (request.tasks or 1) * (request.cpus_per_task or 1)


def _time(script: Script) -> str | None:
    seconds = script.request.time_s
    if seconds is None:
        return "The job sets no time limit, so the site decides: ask for ten minutes."
    if seconds != WANTED_SECONDS:
        return f"The job asks for {seconds} s; ten minutes are {WANTED_SECONDS} s."
    return None


def _log(script: Script) -> str | None:
    output = script.request.output
    if script.scheduler in ("pbs", "torque"):
        return None if output is None else "Without -o, PBS names the log after the job: remove -o."
    job_id = "%j" if script.scheduler == "slurm" else "%J"
    if output is None:
        return f"The log has no name of its own: name it after the job and its id ({job_id})."
    if job_id.lower() not in output.lower():
        return f"The log {output} has no job id in its name, so two runs share it: add {job_id}."
    if output.startswith("hello"):
        return f"The log is still called {output}."
    return None


def _ignored(script: Script) -> str | None:
    if not script.ignored_lines:
        return None
    lines = ", ".join(str(line) for line in script.ignored_lines)
    return f"The scheduler ignores line {lines}: directives stand at the top, before the first command."
