"""Is the half-translated script now a PBS script, header and commands, that still starts the same training?"""

import re
from pathlib import Path

from workshop.jobs import Script, read_script
from workshop.jobs.check import check as check_script

# What the header asks for, which the exercise leaves as it is.
REQUEST = {"nodes": 2, "gpus_per_node": 2, "cpus_total": 16, "time_s": 7200, "tasks": 4}
FOREIGN = re.compile(r"\$\{?SLURM_\w+|\bSLURM_\w+|\bsrun\b|\bscontrol\b")


def check(path: Path) -> list[str]:
    """What is still wrong with the PBS job script ``path``: one sentence each, empty if nothing."""
    script = read_script(path, scheduler="pbs")
    findings = check_script(script).of("error", "warning")
    problems = [f"Line {finding.line}: {finding.message}" for finding in findings]
    return problems + _foreign(script) + _header(script) + _commands(script)


def _foreign(script: Script) -> list[str]:
    found = sorted(set(FOREIGN.findall(script.body)))
    return [f"The commands still use words of Slurm: {', '.join(found)}."] if found else []


def _header(script: Script) -> list[str]:
    changed = [name for name, value in REQUEST.items() if getattr(script.request, name) != value]
    return [f"The request has changed ({', '.join(changed)}): keep what the header asks for."] if changed else []


def _commands(script: Script) -> list[str]:
    problems = []
    if "PBS_NODEFILE" not in script.body:
        problems.append("No node is named as master: the first line of the file $PBS_NODEFILE is one.")
    if not re.search(r"^\s*mpi(exec|run)\b.*train\.py", script.body, re.MULTILINE):
        problems.append("Start the four ranks with mpiexec or mpirun.")
    if re.search(r"port=\d+\s*$", script.body, re.MULTILINE):
        problems.append("The port is the same for every job: compute it from the job's id.")
    return problems
