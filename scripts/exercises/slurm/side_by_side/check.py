"""Are the four checkpoints evaluated at the same time, each once, within the job's cores and memory?

The script runs with an ``srun`` that starts its command at once and notes what the step asks for and when it ran.
Whether Slurm would have let the steps run side by side is worked out from these notes.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from workshop.exercise import stand_ins
from workshop.jobs import read_script

CHECKPOINTS = ("10", "20", "30", "40")
CORES, MEMORY_MB = 8, 4096  # of the job
SRUN = """#!{python}
import argparse, json, os, pathlib, re, subprocess, sys, time
parser = argparse.ArgumentParser()
parser.add_argument("-n", "--ntasks", type=int, default=4)
parser.add_argument("-c", "--cpus-per-task", type=int, default=int(os.environ.get("SRUN_CPUS_PER_TASK", 0)))
parser.add_argument("--mem")
parser.add_argument("--mem-per-cpu")
parser.add_argument("--exact", action="store_true")
parser.add_argument("--exclusive", action="store_true")
parser.add_argument("--overlap", action="store_true")
parser.add_argument("-l", "--label", action="store_true")
for option in (("-N", "--nodes"), ("-o", "--output"), ("-J", "--job-name"), ("-t", "--time"), ("--cpu-bind",)):
    parser.add_argument(*option)
parser.add_argument("command", nargs=argparse.REMAINDER)
step = parser.parse_args()
begin = time.time()
ranks = [subprocess.Popen(step.command, env=dict(os.environ, SLURM_PROCID=str(n), SLURM_LOCALID=str(n)),
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) for n in range(step.ntasks)]
printed = [rank.communicate()[0] for rank in ranks]
sys.stdout.write("".join(printed))
code = max(rank.returncode for rank in ranks)
if "checkpoint " + os.environ.get("FAILS", "none") + " " in "".join(printed):
    code = 1
note = dict(vars(step), begin=begin, end=time.time(), printed="".join(printed))
pathlib.Path({notes!r}, str(os.getpid())).write_text(json.dumps(note))
sys.exit(code)
"""


def check(path: Path) -> list[str]:
    """What is still wrong with the job script ``path``: empty if nothing."""
    request = read_script(path).request
    if (request.nodes, request.cpus_total) != (1, CORES) or not request.mem or request.mem.value != MEMORY_MB << 20:
        return ["The request has changed: keep one node, four tasks of two cores and 4 GB in all."]
    result, steps = _run(path)
    problems = (
        [] if result.returncode == 0 else [f"The script fails with exit code {result.returncode}: {result.stderr}"]
    )
    problems += _work(result, steps)
    problems += _time(steps)
    if not problems and _run(path, FAILS="30")[0].returncode == 0:
        problems.append("If one evaluation fails, the job must fail too: wait for each step by its process id.")
    return problems


def _run(path: Path, **extra: str) -> tuple[subprocess.CompletedProcess, list[dict]]:
    """One run of the script, and the notes of its steps."""
    with tempfile.TemporaryDirectory() as folder:
        notes = Path(folder, "notes")
        notes.mkdir()
        srun = SRUN.format(python=sys.executable, notes=str(notes))
        job = {"SLURM_JOB_ID": "7001", "SLURM_NTASKS": "4", "SLURM_CPUS_PER_TASK": "2", "SLURM_MEM_PER_NODE": "4096"}
        env = {**os.environ, **job, **extra, "PATH": stand_ins(Path(folder), {"srun": srun})}
        command = ["bash", str(path.resolve())]
        result = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=60)
        return result, [json.loads(note.read_text()) for note in notes.iterdir()]


def _work(result: subprocess.CompletedProcess, steps: list[dict]) -> list[str]:
    evaluated = re.findall(r"checkpoint (\d+) evaluated", "".join(step["printed"] for step in steps))
    problems = []
    if sorted(evaluated) != list(CHECKPOINTS):
        counts = ", ".join(f"{name}: {evaluated.count(name)} times" for name in CHECKPOINTS)
        problems.append(f"Each checkpoint must be evaluated once ({counts}): how many tasks does srun start by itself?")
    if not result.stdout.rstrip().endswith("all evaluated"):
        problems.append("'all evaluated' must be the last line: the script does not wait for its steps.")
    return problems


def _time(steps: list[dict]) -> list[str]:
    """Would all steps run at the same time?"""
    if not steps:
        return ["The script starts no step: put srun before the work."]
    if len(steps) == 1:
        return []
    if max(step["begin"] for step in steps) > min(step["end"] for step in steps):
        return ["The steps run one after the other: let the shell go on while a step runs."]
    if any(step["overlap"] for step in steps):
        return ["With --overlap the steps share the same cores: give each its own."]
    if not all(step["exact"] or step["exclusive"] or step["cpus_per_task"] for step in steps):
        return ["Slurm would make the steps wait for each other: by itself a step takes all cores of the job."]
    cores = sum(step["ntasks"] * (step["cpus_per_task"] or 1) for step in steps)
    memory = [_megabytes(step) for step in steps]
    problems = []
    if cores != CORES:
        problems.append(f"Together the steps ask for {cores} cores, the job has {CORES}: give each step two.")
    if None in memory:
        problems.append("Slurm would make the steps wait: by itself a step takes all the memory of the job.")
    elif sum(memory) > MEMORY_MB:
        problems.append(f"Together the steps ask for {sum(memory):.0f} MB, the job has {MEMORY_MB}.")
    return problems


def _megabytes(step: dict) -> float | None:
    """Memory that a step asks for, None where it says nothing."""
    text = step["mem"] or step["mem_per_cpu"]
    found = re.fullmatch(r"(\d+)([KMGT]?)B?", text or "", flags=re.I)
    if not found:
        return None
    amount = int(found[1]) * {"K": 1 / 1024, "": 1, "M": 1, "G": 1024, "T": 1024**2}[found[2].upper()]
    return amount if step["mem"] else amount * step["ntasks"] * (step["cpus_per_task"] or 1)
