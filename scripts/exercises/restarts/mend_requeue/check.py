"""Does the job hear the warning, keep its log, and go back into the queue when, and only when, it should?"""

import os
import subprocess
import tempfile
from pathlib import Path

from workshop.exercise import stand_ins
from workshop.jobs import Script, read_script

JOB_ID = "4711"
ONLY_IF = "do it only if runs/$run/REQUEUE is there"
# Stand-ins for the two commands of the body: the training, which notes its run's name and ends as told, and scontrol.
SRUN = """#!/bin/bash
while (($#)) && [[ $1 != --name* ]]; do shift; done
[[ $1 == --name=* ]] && name=${1#--name=} || name=$2
echo "$name" >> names
mkdir -p "runs/$name"
[[ $MARKER == yes ]] && echo "SIGTERM at step 70" > "runs/$name/REQUEUE"
exit "$CODE"
"""
SCONTROL = '#!/bin/bash\necho "$*" >> requeued\n'


def check(path: Path) -> list[str]:
    """What is still wrong with the Slurm job script ``path``: one sentence each, empty if nothing."""
    script = read_script(path, scheduler="slurm")
    problems = _header(script)
    stopped, done, crashed = (_run(script, *case) for case in (("yes", 1), ("no", 0), ("no", 1)))
    if any(JOB_ID not in name for name in stopped.names):
        problems.append(
            "The run's name does not come from the job's id, so the requeued job starts an empty run instead of "
            "going on: use $SLURM_JOB_ID, which stays the same."
        )
    if stopped.requeued != [f"requeue {JOB_ID}"]:
        problems.append(
            "Training was stopped by the warning (exit code 1, runs/NAME/REQUEUE is there), and the job does not "
            "requeue itself: with 'set -e' it ends at the failed srun. Catch its exit code: srun … || status=$?"
        )
    if done.requeued:
        problems.append(f"Training has finished, and the job requeues itself again, forever: {ONLY_IF}.")
    if crashed.requeued:
        problems.append(f"Training has crashed, and the job requeues itself, forever: {ONLY_IF}.")
    if crashed.code == 0:
        problems.append("Training has crashed, and the job ends with exit code 0: end with that of the training.")
    return problems


def _header(script: Script) -> list[str]:
    problems, request = [], script.request
    if request.open_mode != "append":
        problems.append("A requeued job opens its log anew and wipes the old lines: ask for --open-mode=append.")
    if request.requeue is not True:
        problems.append("Keep --requeue: some sites switch requeueing off by default.")
    if request.signal is None:
        return [*problems, "Nobody warns the training before the limit: keep --signal."]
    if request.signal.target == "batch_shell":
        problems.append("'B:' warns the batch shell alone: without it, the step with the training is warned.")
    if request.signal.name.removeprefix("SIG") not in ("TERM", "15"):
        problems.append(f"torchrun is killed by {request.signal.name} and orphans its ranks: it passes TERM on.")
    return problems


class _Run:
    """What one run of the body did: its exit code, the runs that it trained, the requeues that it asked for."""

    def __init__(self, code: int, folder: Path):
        self.code = code
        self.names = _lines(folder / "names") or ["(no training was started)"]
        self.requeued = _lines(folder / "requeued")


def _lines(path: Path) -> list[str]:
    return path.read_text().splitlines() if path.exists() else []


def _run(script: Script, marker: str, code: int) -> _Run:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / ".venv" / "bin").mkdir(parents=True)
        (folder / ".venv" / "bin" / "activate").touch()
        env = {
            **os.environ,
            "PATH": stand_ins(folder, {"srun": SRUN, "scontrol": SCONTROL}),
            "SLURM_JOB_ID": JOB_ID,
            "SLURM_CPUS_PER_TASK": "4",
            "SLURM_GPUS_ON_NODE": "2",
            "MARKER": marker,
            "CODE": str(code),
        }
        done = subprocess.run(["bash", "-c", script.body], cwd=folder, env=env, capture_output=True, timeout=60)
        return _Run(done.returncode, folder)
