"""Does each job get an account and a QOS that can run it?"""

from pathlib import Path

import yaml

# What the tables in the exercise say. QOS -> (priority, hours, jobs at a time, may be preempted).
QOS = {"opp": (0, 8, 99, True), "regular": (25, 24, 99, False), "test": (75, 4, 1, False)}
ALLOWED = {"vision": ("opp", "regular", "test"), "teaching": ("opp", "test")}
# Job -> (account, hours, jobs at a time, must not be preempted).
JOBS = {
    "train": ("vision", 20, 1, False),
    "try": ("vision", 1 / 6, 1, False),
    "sweep": ("teaching", 3, 6, False),
    "thesis": ("teaching", 12, 1, False),
    "overnight": ("vision", 7, 1, True),
}


def check(path: Path) -> list[str]:
    """What is wrong with the answers in the YAML file ``path``, one sentence each."""
    try:
        given = yaml.safe_load(path.read_text())
    except yaml.YAMLError as error:
        return [f"This is not a list of 'job: {{account: …, qos: …}}' lines: {error}"]
    if not isinstance(given, dict):
        return ["The file must have lines of the form 'job: {account: …, qos: …}'."]
    return [problem for name in JOBS if (problem := _judge(name, given.get(name)))]


def _judge(name: str, answer: object) -> str | None:
    account, hours, jobs, safe = JOBS[name]
    if not isinstance(answer, dict) or answer.get("account") not in ALLOWED:
        return f"{name}: give an account that you belong to, {' or '.join(ALLOWED)}."
    if answer["account"] != account:
        return f"{name}: this is work for {account}; the hours of {answer['account']} are for something else."
    fitting = [qos for qos in ALLOWED[account] if _fault(qos, hours, jobs, safe) is None]
    best = max(fitting, key=lambda qos: QOS[qos][0], default="none")
    qos = "none" if answer.get("qos") is None else str(answer["qos"]).lower()
    if qos == best:
        return None
    if qos == "none":
        return f"{name}: there is a QOS of {account} that can do it. Compare time and number of jobs again."
    if qos not in ALLOWED[account]:
        return f"{name}: account {account} may not use {qos!r}: sbatch answers 'Invalid qos specification'."
    fault = _fault(qos, hours, jobs, safe)
    return f"{name}: {qos} {fault}." if fault else f"{name}: {qos} would do, but another QOS has a higher priority."


def _fault(qos: str, hours: float, jobs: int, safe: bool) -> str | None:
    """Why a QOS cannot do a job, None where it can."""
    _, most_hours, most_jobs, preempted = QOS[qos]
    if hours > most_hours:
        return f"grants {most_hours} hours at most"
    if jobs > most_jobs:
        return f"lets you run {most_jobs} job at a time"
    if safe and preempted:
        return "may be preempted by jobs of another QOS (column Preempt of regular)"
    return None
