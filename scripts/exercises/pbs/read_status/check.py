"""Is each Exit_status read rightly?"""

from pathlib import Path

import yaml

WORDS = ("done", "walltime", "memory", "deleted", "not_found", "killed", "never_ran", "failed")
# Job -> (right word, what tells it).
ANSWERS = {
    "prepare": ("done", "Exit_status 0 is success."),
    "train": ("walltime", "Negative numbers are PBS's own, and the last line of the log names the limit."),
    "sweep": ("deleted", "271 is 256 + 15: PBS ended it with signal 15, TERM."),
    "augment": ("memory", "Negative numbers are PBS's own, and the last line of the log names the limit."),
    "evaluate": ("not_found", "127 is the shell's own code; the log names the word that it looked for."),
    "export": ("killed", "137 is 128 + 9, a code of the shell: a process of the script was killed."),
    "report": ("never_ran", "Without Exit_status and run_count there was no run: the job that it waited for failed."),
    "plot": ("failed", "A small positive number is what the script itself ended with."),
}


def check(path: Path) -> list[str]:
    """What is wrong with the answers in the YAML file ``path``, one sentence each."""
    try:
        given = yaml.safe_load(path.read_text())
    except yaml.YAMLError as error:
        return [f"This is not a list of 'job: word' lines: {error}"]
    if not isinstance(given, dict):
        return ["The file must have lines of the form 'job: word'."]
    problems = []
    for name, (right, why) in ANSWERS.items():
        word = given.get(name)
        if word not in WORDS:
            problems.append(f"{name}: answer with one of {', '.join(WORDS)}.")
        elif word != right:
            problems.append(f"{name}: not '{word}'. {why}")
    return problems
