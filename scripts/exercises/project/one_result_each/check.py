"""Run the body for each index of the array with a training that only notes its options, and compare what it noted."""

import os
import subprocess
import tempfile
from collections import Counter
from pathlib import Path

from workshop.exercise import stand_ins
from workshop.jobs import read_script
from workshop.rehearse.limits import array_indices

WANTED = {(rate, dropout) for rate in (0.1, 0.03, 0.01) for dropout in (0, 0.2, 0.4)}
# Stands in for python and srun: it notes learning rate, dropout and the folder of the run.
PYTHON = """#!/bin/bash
lr=0.05 dropout=0 runs=runs name=one_device
while (($#)); do
    case $1 in
        --lr=*) lr=${1#*=} ;; --lr) lr=$2 ;;
        --dropout=*) dropout=${1#*=} ;; --dropout) dropout=$2 ;;
        --runs=*) runs=${1#*=} ;; --runs) runs=$2 ;;
        --name=*) name=${1#*=} ;; --name) name=$2 ;;
    esac
    shift
done
echo "$lr $dropout $runs/$name" >> "$NOTES"
"""


def check(path: Path) -> list[str]:
    """What is still wrong with the Slurm job script ``path``: one sentence each, empty if nothing."""
    script = read_script(path, scheduler="slurm")
    if script.request.array is None:
        return ["The script asks for no array: keep --array, with one task for each pair of values."]
    noted = []
    for index in array_indices(script.request.array):
        code, lines, message = _task(script.body, index)
        if code != 0:
            return [f"Task {index} ends with exit code {code}: {message}"]
        if len(lines) != 1:
            return [f"Task {index} starts {len(lines)} trainings; each task must start exactly one."]
        noted.append(lines[0].split(" ", 2))
    return _judge(noted)


def _judge(noted: list[list[str]]) -> list[str]:
    problems = []
    pairs = Counter((float(rate), float(dropout)) for rate, dropout, _ in noted)
    if missing := WANTED - set(pairs):
        shown = ", ".join(f"{rate} with {dropout}" for rate, dropout in sorted(missing))
        problems.append(f"These pairs of learning rate and dropout are never tried: {shown}.")
    if foreign := set(pairs) - WANTED:
        problems.append(f"These pairs were not asked for: {sorted(foreign)}.")
    if twice := sorted(pair for pair, count in pairs.items() if count > 1):
        problems.append(f"These pairs of learning rate and dropout are trained more than once: {twice}.")
    folders = Counter(folder for _, _, folder in noted)
    if shared := sorted(folder for folder, count in folders.items() if count > 1):
        problems.append(
            f"Several tasks write into {', '.join(shared)}, and each overwrites what the others measured: "
            "give each task a --name of its own."
        )
    return problems


def _task(body: str, index: int) -> tuple[int, list[str], str]:
    """Exit code of one task, what its trainings noted, and the last line that it printed."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / ".venv" / "bin").mkdir(parents=True)
        (folder / ".venv" / "bin" / "activate").touch()
        programs = {"python": PYTHON, "python3": PYTHON, "srun": '#!/bin/bash\nexec "$@"\n'}
        env = {
            **os.environ,
            "PATH": stand_ins(folder, programs),
            "SLURM_ARRAY_JOB_ID": "4711",
            "SLURM_ARRAY_TASK_ID": str(index),
            "SLURM_JOB_ID": str(4711 + index),
            "SLURM_CPUS_PER_TASK": "1",
            "NOTES": str(folder / "notes"),
        }
        done = subprocess.run(["bash", "-c", body], cwd=folder, env=env, capture_output=True, text=True, timeout=30)
        notes = folder / "notes"
        lines = notes.read_text().splitlines() if notes.exists() else []
        message = (done.stderr.strip().splitlines() or ["no message"])[-1]
        return done.returncode, lines, message
