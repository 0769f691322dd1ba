"""Call the learner's ``usable_cores`` for machines that differ from this one."""

import importlib.util
from pathlib import Path

NODE = set(range(64))
# (affinity, cpu.max, variables, right answers, what the case is about)
CASES = [
    (NODE, "max 100000", {}, {64}, "nothing limits the process: it may use all 64 cores"),
    ({8, 9, 10, 11}, "max 100000", {}, {4}, "the scheduler bound it to the cores 8 to 11 of a larger node"),
    (NODE, "400000 100000", {}, {4}, "the cgroup grants 400 ms in every 100 ms"),
    (NODE, "100000 50000", {}, {2}, "the period need not be 100000: 100 ms in every 50 ms are two cores"),
    (NODE, "250000 100000", {}, {2, 3}, "two and a half cores"),
    (NODE, "50000 100000", {}, {1}, "half a core still runs one worker"),
    (NODE, "max 100000", {"SLURM_CPUS_PER_TASK": "6"}, {6}, "the job asked for six cores and nobody enforces it"),
    ({0, 1}, "max 100000", {"SLURM_CPUS_PER_TASK": "6"}, {2}, "six were asked for, but only two are reachable"),
    (set(range(8)), "300000 100000", {"SLURM_CPUS_PER_TASK": "8"}, {3}, "the smallest of the three limits counts"),
]


def check(path: Path) -> list[str]:
    """What is wrong with the function in the Python file ``path``, one sentence each."""
    try:
        spec = importlib.util.spec_from_file_location("learners_cores", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        usable_cores = module.usable_cores
    except Exception as error:  # whatever the learner's file raises is what they need to read
        return [f"The file does not load: {type(error).__name__}: {error}"]
    for affinity, cpu_max, environment, right, about in CASES:
        call = f"With {len(affinity)} cores in the affinity, cpu.max '{cpu_max}' and {environment or 'no variables'}"
        try:
            answer = usable_cores(set(affinity), cpu_max, dict(environment))
        except Exception as error:
            return [f"{call}, it raises {type(error).__name__}: {error}"]
        if answer not in right or isinstance(answer, float):
            return [f"{call}, it says {answer}, not {min(right)}: {about}."]
    return []
