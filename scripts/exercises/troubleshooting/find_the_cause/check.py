"""Is the first error of each log found, and its cause?"""

from pathlib import Path

import yaml

CAUSES = ("module", "file", "memory", "time", "network")
# Log -> (lines that belong to the first error, its cause, what misleads).
ANSWERS = {
    "environment.log": (
        range(1, 4),
        "module",
        "The missing file is a consequence: nothing wrote it, since the program before it did not even start.",
    ),
    "killed.log": (range(3, 4), "memory", "'Killed' is signal 9 without a traceback: think of memory first."),
    "limit.log": (range(10, 12), "time", "The scheduler wrote why it ended the job; what srun says came afterwards."),
    "ranks.log": (
        range(9, 19),
        "file",
        "'Connection closed by peer' is what rank 0 saw when rank 1 had ended; and torchrun's lines say only that.",
    ),
}


def check(path: Path) -> list[str]:
    """What is wrong with the answers in the YAML file ``path``, one sentence each."""
    try:
        given = yaml.safe_load(path.read_text())
    except yaml.YAMLError as error:
        return [f"This is not YAML as the starter has it: {error}"]
    if not isinstance(given, dict):
        return ["The file must have one block for each log, as the starter has."]
    problems = []
    for log, (lines, cause, hint) in ANSWERS.items():
        answer = given.get(log)
        if not isinstance(answer, dict):
            problems.append(f"{log}: give it the two keys line and cause.")
            continue
        if answer.get("cause") not in CAUSES:
            problems.append(f"{log}: the cause must be one of {', '.join(CAUSES)}.")
        elif answer["cause"] != cause:
            problems.append(f"{log}: not '{answer['cause']}'. {hint}")
        if not isinstance(answer.get("line"), int):
            problems.append(f"{log}: the line must be a number.")
        elif answer["line"] not in lines:
            where = "earlier" if answer["line"] > lines[-1] else "later"
            problems.append(f"{log}: line {answer['line']} is not where the first error is: look {where}.")
    return problems
