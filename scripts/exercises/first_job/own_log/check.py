"""Does every job that is submitted with this script get a log of its own?"""

import re
from pathlib import Path

from workshop.jobs import Script, read_script

# What stands for the job's own number in a log's name, by scheduler (PBS has no such sign outside arrays).
JOB_ID = {"slurm": re.compile(r"%\d*[jJ]|%\d*A"), "lsf": re.compile(r"%J")}


def check(path: Path) -> list[str]:
    """What is still wrong with the job script ``path`` (Slurm, PBS or LSF): empty if nothing."""
    script = read_script(path)
    problems = [problem for stream in ("output", "error") if (problem := _shared(script, stream))]
    if script.request.job_name != "train":
        problems.append(f"Keep the job's name: it is now {script.request.job_name!r}, it should be 'train'.")
    return problems


def _shared(script: Script, stream: str) -> str | None:
    pattern = getattr(script.request, stream)
    if pattern is None:
        return _default(script, stream)
    if "$" in pattern:
        return f"{stream}: '{pattern}' is taken as it stands: the scheduler expands no shell variables."
    if script.scheduler in ("pbs", "torque"):
        return f"{stream}: two jobs share '{pattern}'. PBS numbers its default name: remove the option."
    if JOB_ID[script.scheduler].search(pattern):
        return None
    if "%x" in pattern:
        return f"{stream}: '{pattern}' has the job's name (%x), which the next job has too. Add the id."
    return f"{stream}: two jobs share '{pattern}'. Put the job id into the name."


def _default(script: Script, stream: str) -> str | None:
    if stream == "error" or script.scheduler != "lsf":
        return None  # stderr goes with stdout, and the default names of Slurm and PBS have the job's number
    return "output: without -o, LSF sends the output by mail: name a file."
