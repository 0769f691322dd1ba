"""Does each task of the array train one seed, two at a time, into a log of its own? The script is rehearsed."""

import re
import tempfile
from pathlib import Path

from workshop.jobs import Array, read_script
from workshop.rehearse import CannotRehearse, Rehearsal, rehearse

SEEDS = ["11", "22", "33", "44", "55", "66"]
AT_ONCE = 2


def check(path: Path) -> list[str]:
    """What is still wrong with the job script ``path`` (Slurm, PBS or LSF): empty if nothing."""
    array = read_script(path).request.array
    if array is None:
        return ["The script asks for no array: one job still trains all the seeds, one after the other."]
    problems = _shape(array)
    try:
        with tempfile.TemporaryDirectory() as folder:
            problems += _tasks(rehearse(path, workdir=folder, walltime_s=20))
    except CannotRehearse as error:
        problems.append(f"The script cannot be rehearsed: {error}")
    return problems


def _shape(array: Array) -> list[str]:
    problems = []
    if array.count != len(SEEDS):
        problems.append(f"The array has {array.count} tasks; there are {len(SEEDS)} seeds.")
    if array.max_running != AT_ONCE:
        limit = array.max_running or "as many as fit"
        problems.append(f"At most {AT_ONCE} tasks may run at once (%{AT_ONCE} behind the indices), not {limit}.")
    return problems


def _tasks(job: Rehearsal) -> list[str]:
    problems = [
        f"Task {number} failed with exit code {task.exit_code}: {task.stdout.strip()}"
        for number, task in enumerate(job.tasks, start=1)
        if not task.ok
    ]
    trained = [re.findall(r"training with seed (\d+)", task.stdout) for task in job.tasks]
    if any(len(seeds) != 1 for seeds in trained):
        problems.append(f"Each task must train exactly one seed; they train {trained}.")
    elif sorted(seeds[0] for seeds in trained) != SEEDS:
        problems.append(f"Each seed must be trained once; the tasks train {[seeds[0] for seeds in trained]}.")
    if len(set(job.log_paths)) < len(job.tasks):
        logs = len(set(job.log_paths))
        problems.append(f"{len(job.tasks)} tasks share {logs} log(s): put the task's index into the name.")
    return problems
