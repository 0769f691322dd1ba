"""Does each pending job get the right treatment?"""

from pathlib import Path

import yaml

WORDS = ("wait", "shorten", "release", "cancel")
# Job -> (right words, what its reason says).
ANSWERS = {
    "train": ({"wait"}, "Resources: it is among the next in line, and its nodes are still busy."),
    "eval": ({"wait", "shorten"}, "Priority: other jobs come first; a shorter one may be put into a gap."),
    "sweep": ({"shorten"}, "PartitionTimeLimit: it asks for more time than the partition gives anybody."),
    "tune": ({"shorten"}, "Reserved for maintenance: its walltime reaches into a reservation of the admins."),
    "merge": ({"wait"}, "Dependency: another job has to end first."),
    "report": ({"cancel"}, "DependencyNeverSatisfied: the job it waits for ended in the wrong way, for good."),
    "test": ({"release"}, "JobHeldUser: you, or somebody with your name, put it on hold."),
    "nightly": ({"wait"}, "BeginTime: it was submitted with a start time that has not come yet."),
}


def check(path: Path) -> list[str]:
    """What is wrong with the answers in the YAML file ``path``, one sentence each."""
    try:
        given = yaml.safe_load(path.read_text())
    except yaml.YAMLError as error:
        return [f"This is not a list of 'name: word' lines: {error}"]
    if not isinstance(given, dict):
        return ["The file must have lines of the form 'name: word'."]
    problems = []
    for name, (right, reason) in ANSWERS.items():
        word = given.get(name)
        if word not in WORDS:
            problems.append(f"{name}: answer with one of {', '.join(WORDS)}.")
        elif word not in right:
            problems.append(f"{name}: not '{word}'. Read its reason again. {reason}")
    return problems
