"""Do the jobs wait for each other as they should? The script runs with an ``sbatch`` that only notes its calls."""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from workshop.exercise import stand_ins

# Answers as sbatch does, with ids that nobody can guess, and notes what it was asked for.
RECORDER = """#!{python}
import json, os, pathlib, sys
calls = pathlib.Path({calls!r})
number = 7001 + 37 * len(list(calls.iterdir()))
(calls / str(number)).write_text(json.dumps(sys.argv[1:]))
print(number if "--parsable" in sys.argv else f"Submitted batch job {{number}}")
"""
JOBS = ("prepare", "train", "report", "clean")
# Job -> (what it must wait for, why).
WANTED = {
    "prepare": (None, "it comes first"),
    "train": (("afterok", "prepare"), "it needs the prepared data"),
    "report": (("afterok", "train"), "it makes sense only if every training succeeded"),
    "clean": (("afterany", "train"), "it must run after the trainings, whatever became of them"),
}


def check(path: Path) -> list[str]:
    """What is still wrong with the shell script ``path``: empty if nothing."""
    with tempfile.TemporaryDirectory() as folder:
        calls = Path(folder) / "calls"
        calls.mkdir()
        result = _run(path, Path(folder), calls)
        if result.returncode != 0:
            return [f"The script ends with exit code {result.returncode}: {result.stderr.strip()}"]
        submitted = _submitted(calls)
    missing = [name for name in JOBS if name not in submitted]
    if missing:
        return [f"The script submits no {name}.sbatch." for name in missing]
    return [problem for name in JOBS if (problem := _judge(name, submitted))]


def _run(path: Path, folder: Path, calls: Path) -> subprocess.CompletedProcess:
    recorder = RECORDER.format(python=sys.executable, calls=str(calls))
    env = {**os.environ, "PATH": stand_ins(folder, {"sbatch": recorder})}
    return subprocess.run(
        ["bash", str(path.resolve())], cwd=folder, env=env, capture_output=True, text=True, timeout=60
    )


def _submitted(calls: Path) -> dict[str, argparse.Namespace]:
    """Job's name -> its options, with its id."""
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("-d", "--dependency")
    parser.add_argument("--kill-on-invalid-dep", default="no")
    jobs = {}
    for call in calls.iterdir():
        known, rest = parser.parse_known_args(json.loads(call.read_text()))
        known.id = call.name
        jobs |= {Path(word).stem: known for word in rest if word.endswith(".sbatch")}
    return jobs


def _judge(name: str, submitted: dict[str, argparse.Namespace]) -> str | None:
    wanted, why = WANTED[name]
    job = submitted[name]
    if wanted is None:
        return None if job.dependency is None else f"{name} waits for another job, but {why}."
    kind, other = wanted
    expected = f"{kind}:{submitted[other].id}"
    if job.dependency is None:
        return f"{name} waits for nothing; {why}: use {kind} and the id of {other}."
    if job.dependency != expected:
        return f"{name} waits for {job.dependency}, not for {expected} ({kind} of {other}): {why}."
    if kind == "afterok" and job.kill_on_invalid_dep != "yes":
        return f"If {other} fails, {name} stays in the queue forever: let Slurm cancel it (--kill-on-invalid-dep=yes)."
    return None
