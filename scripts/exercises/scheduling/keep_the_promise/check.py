"""Run the learner's rule in the simulation: are all promises kept, and is no chance missed?"""

import importlib.util
from pathlib import Path

from workshop.queue_model import Job, Schedule, random_jobs, simulate

NODES = 16
SEEDS = range(1, 6)


def check(path: Path) -> list[str]:
    """What is wrong with the function ``may_start`` in the Python file ``path``, one sentence each."""
    try:
        may_start = _load(path)
    except Exception as error:  # whatever the learner's file raises is what they need to read
        return [f"The file does not load: {type(error).__name__}: {error}"]
    if may_start is None:
        return ["The file must define a function may_start."]

    def rule(job, now, free, promise) -> bool:
        return may_start(job.nodes, job.walltime, now, free, promise.start, promise.spare)

    for seed in SEEDS:
        # Every job uses all the time that it asks for, so that a broken promise shows.
        jobs = [
            Job(job.name, job.nodes, job.walltime, job.walltime, job.submit)
            for job in random_jobs(200, NODES, seed=seed)
        ]
        try:
            yours = simulate(jobs, NODES, rule=rule)
        except Exception as error:
            return [f"Running your rule: {type(error).__name__}: {error}"]
        problem = _broken_promise(yours) or _missed(yours, simulate(jobs, NODES))
        if problem:
            return [problem]
    return []


def _load(path: Path):
    spec = importlib.util.spec_from_file_location("learners_rule", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, "may_start", None)


def _broken_promise(schedule: Schedule) -> str | None:
    for minute, name, promise in schedule.promises:
        run = schedule[name]
        if run.start > promise.start:
            return (
                f"At minute {minute}, {name} ({run.job.nodes} nodes) was promised a start at minute "
                f"{promise.start}; it started at {run.start}. Your rule starts jobs that are in its way."
            )
    return None


def _missed(yours: Schedule, best: Schedule) -> str | None:
    for run in best.runs:
        mine = yours[run.job.name]
        if mine.start != run.start:
            return (
                f"{run.job.name} ({run.job.nodes} nodes, {run.job.walltime} min) could start at minute "
                f"{run.start} and be in nobody's way; with your rule it starts at {mine.start}."
            )
    return None
