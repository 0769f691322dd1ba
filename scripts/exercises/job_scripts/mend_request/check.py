"""Does Slurm read what the author meant, and has the checker nothing more to say?"""

import re
from pathlib import Path

from workshop.jobs import JobRequest, Memory, Script, read_script
from workshop.jobs.check import check as check_script

# Field of the request -> what the author meant, and how to say it.
WANTED = {
    "job_name": ("train", "the name 'train'"),
    "output": ("%x-%j.out", "the log train-ID.out (%x-%j.out)"),
    "nodes": (1, "one node"),
    "tasks": (3, "three tasks"),
    "cpus_per_task": (4, "four cores a task"),
    "gpus_per_node": (3, "three GPUs on the node"),
    "mem": (Memory(64 * 1024**3), "64 GiB of memory on the node"),
    "time_s": (90 * 60, "one hour and a half"),
}


def check(path: Path) -> list[str]:
    """What is still wrong with the Slurm job script ``path``: one sentence each, empty if nothing."""
    script = read_script(path, scheduler="slurm")
    findings = check_script(script).of("error", "warning")
    problems = [f"Line {finding.line}: {finding.message}" for finding in findings]
    return problems + _wrong(script) + _lost(script)


def _wrong(script: Script) -> list[str]:
    return [
        f"The job does not ask for {words}."
        for name, (value, words) in WANTED.items()
        if _asked(script.request, name) != value
    ]


def _asked(request: JobRequest, name: str):
    """What the request says; the log's name with %x for the job's name, however it was written."""
    value = getattr(request, name)
    return re.sub(r"^train-", "%x-", value) if name == "output" and value else value


def _lost(script: Script) -> list[str]:
    commands = ("module purge", "set -euo pipefail", "python train.py")
    return [f"The command '{command}' is gone: keep it." for command in commands if command not in script.body]
