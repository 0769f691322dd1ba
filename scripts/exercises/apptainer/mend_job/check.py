"""Does each task of the job start a container that sees the GPUs, the project's folder and its rank?

The body runs with a recorder in place of ``apptainer``; Apptainer itself is not needed.
"""

import importlib.util
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from workshop.exercise import stand_ins
from workshop.jobs import read_script
from workshop.paths import SCRIPTS

RANK, TASKS = 3, 4
# srun starts one task here: the last of four. The batch shell around it is task 0, as Slurm says.
BATCH = {"SLURM_JOB_ID": "4711", "SLURM_PROCID": "0", "SLURM_LOCALID": "0", "SLURM_NODEID": "0"}
TASK = {
    "SLURM_PROCID": str(RANK),
    "SLURM_LOCALID": "1",
    "SLURM_NODEID": "1",
    "SLURM_STEP_ID": "0",
    "SLURM_STEP_NUM_TASKS": str(TASKS),
    "SLURM_STEP_NUM_NODES": "2",
    "SLURM_STEP_NODELIST": "gpu[1-2]",
    "SLURM_STEP_TASKS_PER_NODE": "2(x2)",
    "CUDA_VISIBLE_DEVICES": "0,1",
}
BOTH = {
    "SLURM_NTASKS": str(TASKS),
    "SLURM_NNODES": "2",
    "SLURM_JOB_NUM_NODES": "2",
    "SLURM_JOB_NODELIST": "gpu[1-2]",
    "SLURM_NODELIST": "gpu[1-2]",
    "SLURM_TASKS_PER_NODE": "2(x2)",
    "SLURM_CPUS_PER_TASK": "2",
    "SLURM_GPUS_ON_NODE": "2",
}
SRUN = """#!/bin/bash
while (($#)) && [[ $1 == -* ]]; do [[ $1 == -? ]] && shift; shift; done
export {task}
exec "$@"
"""
APPTAINER = """#!{python} -I
import json, os, sys
json.dump({{"words": sys.argv[1:], "env": dict(os.environ), "cwd": os.getcwd()}}, open({file!r}, "w"))
"""
# Options of apptainer exec that take the next word.
WITH_VALUE = {"--bind", "-B", "--mount", "--pwd", "--cwd", "--env", "--env-file", "--home", "-H", "--overlay", "-o"}
WITH_VALUE |= {"--workdir", "-W", "--scratch", "-S", "--no-mount", "--network", "--hostname"}


def check(path: Path) -> list[str]:
    """What is still wrong with the job script ``path``: one sentence each, empty if nothing."""
    script = read_script(path, scheduler="slurm")
    seen = _run(script.body)
    if seen is None:
        return ["No container was started: keep 'srun apptainer exec … python scripts/train/ddp.py'."]
    options, command = _options(seen["words"][1:])
    env = seen["env"]
    problems = []
    if "--nv" not in options and not env.get("APPTAINER_NV"):
        problems.append("The container sees no GPU: the driver's libraries come with --nv only.")
    binds = [*options.get("--bind", []), *options.get("-B", []), env.get("APPTAINER_BIND", "")]
    sources = {part.split(":")[0] for bind in binds for part in bind.split(",") if part}
    folder = Path(seen["cwd"])
    if not any(Path(source) in (folder, *folder.parents) for source in sources if source not in ("", "/")):
        problems.append('The folder with the program and its data is not in the container: add --bind "$PWD".')
    if not any(word.endswith("ddp.py") for word in command):
        problems.append("The container must still run scripts/train/ddp.py.")
    return problems + _world(_inside(options, env))


def _run(body: str) -> dict | None:
    """Run the script's body; what the recorder saw: words, variables, folder."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        task = " ".join(f"{key}='{value}'" for key, value in TASK.items())
        recorder = APPTAINER.format(python=sys.executable, file=str(folder / "seen.json"))
        path = stand_ins(folder, {"srun": SRUN.format(task=task), "apptainer": recorder})
        clean = {key: value for key, value in os.environ.items() if not key.startswith(("SLURM_", "APPTAINER"))}
        env = {**clean, **BOTH, **BATCH, "PATH": path}
        subprocess.run(["bash", "-c", body], cwd=folder, env=env, capture_output=True, timeout=60)
        file = folder / "seen.json"
        return json.loads(file.read_text()) if file.is_file() else None


def _options(words: list[str]) -> tuple[dict[str, list[str]], list[str]]:
    """Options of ``apptainer exec``, each with its values, and the command after the image."""
    found: dict[str, list[str]] = {}
    rest = list(words)
    while rest and rest[0].startswith("-"):
        name, equals, value = rest.pop(0).partition("=")
        if not equals and name in WITH_VALUE and rest:
            value = rest.pop(0)
        found.setdefault(name, []).append(value)
    return found, rest[1:]


def _inside(options: dict[str, list[str]], env: dict[str, str]) -> dict[str, str]:
    """The variables that the program in the container sees."""
    bare = {"--cleanenv", "-e", "--containall", "-C"} & set(options) or env.get("APPTAINER_CLEANENV")
    inside = {} if bare else dict(env)
    inside |= {
        key.removeprefix("APPTAINERENV_"): value for key, value in env.items() if key.startswith("APPTAINERENV_")
    }
    for text in options.get("--env", []):
        inside |= dict(pair.split("=", 1) for pair in text.split(",") if "=" in pair)
    return inside


def _world(inside: dict[str, str]) -> list[str]:
    """What launch.py would find in the container."""
    spec = importlib.util.spec_from_file_location("launch_of_the_check", SCRIPTS / "train" / "launch.py")
    launch = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = launch
    spec.loader.exec_module(launch)
    try:
        me = launch.detect(inside)
    except SystemExit as error:
        return [f"launch.py refuses to start with the variables in the container: {' '.join(str(error).split())}"]
    if me.world_size != TASKS:
        return [
            f"In the container the world size is {me.world_size}, not {TASKS}: --cleanenv takes Slurm's variables "
            "away, so each rank trains alone."
        ]
    if me.rank != RANK:
        return [
            f"Task {RANK} takes itself for rank {me.rank}: the batch shell filled in $SLURM_PROCID, which is 0 there. "
            "Only what srun starts knows its rank."
        ]
    return []
