"""Has the checker nothing more to say, and is it one training over both hosts?

The script is rehearsed twice with a ``torchrun`` that only notes how it is called.
"""

import runpy
from pathlib import Path

from workshop.jobs import read_script
from workshop.jobs.check import check as check_script

LAUNCHED = runpy.run_path(str(Path(__file__).parents[2] / "ddp_many_nodes" / "launched.py"))
# What the header asks for, which the exercise leaves as it is.
REQUEST = {"nodes": 2, "tasks": 8, "gpus_per_node": 2, "time_s": 7200}


def check(path: Path) -> list[str]:
    """What is still wrong with the LSF job script ``path``: one sentence each, empty if nothing."""
    script = read_script(path, scheduler="lsf")
    findings = check_script(script).of("error", "warning")
    problems = [f"Line {finding.line}: {finding.message}" for finding in findings]
    changed = [name for name, value in REQUEST.items() if getattr(script.request, name) != value]
    if changed:
        problems.append(f"The request has changed ({', '.join(changed)}): keep what the header asks for.")
    return problems or LAUNCHED["problems_of_agents"](path, REQUEST["nodes"], REQUEST["gpus_per_node"])
