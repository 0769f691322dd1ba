"""Does the scheduler now see every line of the header, and does the job still do the same?"""

from pathlib import Path

from workshop.jobs import Memory, Script, read_script

# What the starter's author wanted: field of the request -> value, and how to say it.
WANTED = {
    "job_name": ("mended", "the name 'mended'"),
    "time_s": (300, "five minutes"),
    "cpus_per_task": (2, "two cores for its one task"),
    "mem": (Memory(1024**3, "per_node"), "1 GiB of memory"),
    "output": ("%x-%j.out", "the log %x-%j.out"),
}


def check(path: Path) -> list[str]:
    """What is still wrong with the Slurm job script ``path``: one sentence each, empty if nothing."""
    script = read_script(path, scheduler="slurm")
    if script.shebang is None:
        return ["The first line is not a shebang: sbatch refuses the script. Put #!/bin/bash on line 1."]
    return _ignored(script) + _missing(script) + _body(script)


def _ignored(script: Script) -> list[str]:
    lines = script.text.splitlines()
    return [f"Slurm ignores line {number}: {lines[number - 1].strip()}" for number in script.ignored_lines]


def _missing(script: Script) -> list[str]:
    return [
        f"The job does not ask for {words}."
        for name, (value, words) in WANTED.items()
        if getattr(script.request, name) != value
    ]


def _body(script: Script) -> list[str]:
    if "set -euo pipefail" not in script.body:
        return ["Keep 'set -euo pipefail': move it below the directives instead of removing it."]
    if "SLURM_CPUS_PER_TASK" not in script.body:
        return ["The script no longer says how many cores it may use: keep its last line."]
    return []
