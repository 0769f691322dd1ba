"""What a script does that a rehearsal on this machine cannot do, said before it runs."""

from __future__ import annotations

import os
import re
import shutil

from workshop import modules
from workshop.apptainer import tree
from workshop.jobs import Array, Script
from workshop.jobs.parts import indices
from workshop.rehearse import names

NO_MODULES = "it needs environment modules (Lmod), which are not installed; without them the line fails"
# Program in the body -> what to say where this machine does not have it. The body still runs: what fails, fails.
MISSING = {
    "module": NO_MODULES,
    "ml": NO_MODULES,
    "conda": "it needs conda on this machine",
    "apptainer": "it needs Apptainer on this machine",
    "singularity": "it needs Singularity on this machine",
    "nvidia-smi": "it needs an NVIDIA driver on this machine",
    "nsys": "it needs NVIDIA Nsight Systems on this machine",
    "spack": "it needs Spack on this machine",
}
ASKS_SCHEDULER = re.compile(
    r"^\s*(?:\w+=\$\()?(squeue|sacct|scancel|sinfo|salloc|sstat|seff|qstat|qdel|qalter|qrerun|bjobs|bkill|bpeek|bhist)\b",
    re.MULTILINE,
)


def sentences(script: Script) -> list[str]:
    """One sentence for each thing that will go differently here."""
    body = re.sub(r"(^|\s)#.*", "", script.body)
    found = []
    for program, why in MISSING.items():
        if re.search(rf"(^|[;&|(]|\bsrun |\bexec )\s*{program}\b", body, re.MULTILINE) and not _is_here(program):
            found.append(f"Cannot be rehearsed here: '{program}': {why}.")
    for command in sorted(set(ASKS_SCHEDULER.findall(body))):
        found.append(
            f"Cannot be rehearsed: '{command}' asks a scheduler, and there is none; it will fail with a message."
        )
    missing_names = names.machine_may_use_names()
    if missing_names:
        found.append(missing_names)
    return found


def _is_here(program: str) -> bool:
    """Whether this machine has a program; ``module`` and ``ml`` are functions of the shell."""
    if program in ("module", "ml"):
        return bool(modules.environment()) or f"BASH_FUNC_{program}%%" in os.environ
    return shutil.which(program) is not None or (program == "apptainer" and bool(tree.find()))


def array_indices(array: Array) -> list[int]:
    """All indices of an array, in order: ``1-10:3,20`` gives 1, 4, 7, 10, 20."""
    written = (array.indices or f"{array.first}-{array.last}:{array.step or 1}").replace(" ", "")
    return indices.numbers(indices.spans(",".join(filter(None, written.split(",")))) or [])
