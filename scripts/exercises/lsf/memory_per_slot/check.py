"""Does the job get 32 GB in all, on one node with a V100 of 32 GB, for twelve hours, at a site that counts by slot?"""

import re
from pathlib import Path

from workshop.jobs import Script, read_script
from workshop.jobs.check import check as check_script
from workshop.sites import load_site

SLOTS, MEMORY_GB, HOURS = 4, 32, 12


def check(path: Path) -> list[str]:
    """What is still wrong with the LSF job script ``path``: one sentence each, empty if nothing."""
    script = read_script(path, scheduler="lsf")
    findings = check_script(script, load_site("dtu-hpc").profile()).of("error")
    problems = [f"Line {finding.line}: {finding.message}" for finding in findings]
    request = script.request
    if (request.tasks, request.gpus_total) != (SLOTS, 1):
        problems.append("Keep four slots and one GPU.")
    elif request.nodes != 1:
        problems.append("Nothing keeps the four slots on one node: span.")
    if (request.partition, _constraint(script)) != ("gpuv100", True):
        problems.append(
            "The queue gpuv100 also has cards of 16 GB: select those of 32 GB (see workshop sites dtu-hpc)."
        )
    problems += _memory(script)
    if request.time_s != HOURS * 3600:
        asked = "no time" if request.time_s is None else f"{request.time_s / 60:.0f} minutes"
        problems.append(f"The job asks for {asked}, it needs {HOURS} hours: -W is hours:minutes.")
    if not re.search(r"%J", request.output or ""):
        problems.append("Two jobs would write into the same log: put the job's id into its name.")
    return problems


def _constraint(script: Script) -> bool:
    return bool(re.search(r"\bgpu32gb\b", script.request.constraint or ""))


def _memory(script: Script) -> list[str]:
    """Memory of all slots together; ``/host`` and ``/task`` behind the number say how it is counted."""
    asked = script.request.mem
    if asked is None or asked.value is None:
        return ["The script asks for no memory, and gets 1024 MB a slot."]
    in_all = asked.value * (1 if asked.scope == "per_node" else SLOTS) / 2**30
    if in_all == MEMORY_GB:
        return []
    return [
        f"This site counts memory for each slot: four slots get {in_all:.0f} GB, the job needs {MEMORY_GB} GB in all."
    ]
