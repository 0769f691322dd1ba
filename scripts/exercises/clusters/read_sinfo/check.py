"""Does the learner read the states, cores and GPUs of sinfo rightly?"""

from pathlib import Path

import yaml

# Question -> (right answer, a hint).
ANSWERS = {
    "free_cores": (10, "add up the idle ones, the I of A/I/O/T. Those of a drained node count as 'other'."),
    "out_of_service": ("cpu2", "drain means that an admin keeps jobs away from it."),
    "idle_gpus": (5, "GRES says how many a node has, GRES_USED how many jobs hold."),
    "startable_gpus": (1, "gpu2 has four idle GPUs, but is there a core left on it?"),
    "memory_per_core_of_gpu1": (4000, "divide the node's memory by all of its cores, not by the idle ones."),
    "nodes_for_six_cores": (0, "five idle cores here and five there are not six on one node."),
}


def check(path: Path) -> list[str]:
    """What is wrong with the answers in the YAML file ``path``, one sentence each."""
    try:
        given = yaml.safe_load(path.read_text())
    except yaml.YAMLError as error:
        return [f"This is not a list of 'question: answer' lines: {error}"]
    if not isinstance(given, dict):
        return ["The file must have lines of the form 'question: answer'."]
    problems = []
    for question, (right, hint) in ANSWERS.items():
        answer = given.get(question)
        if answer is None:
            problems.append(f"{question}: no answer yet. A hint: {hint}")
        elif str(answer).strip().lower() != str(right):
            problems.append(f"{question}: not {answer}. A hint: {hint}")
    return problems
