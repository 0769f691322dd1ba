"""Does the job's exit code tell what happened, and can its log always be written?"""

import os
import subprocess
import tempfile
from pathlib import Path

from workshop.exercise import stand_ins
from workshop.jobs import read_script

TORCHRUN = """#!/bin/bash
echo "$@" >> "$STARTED"
echo "epoch 1/5 train_loss=2.1"
[[ $ENDS == 137 ]] && kill -KILL $$
exit "$ENDS"
"""


def check(path: Path) -> list[str]:
    """What is wrong with the job script ``path``, one sentence each."""
    script = read_script(path, scheduler="slurm")
    problems = _log(script.request.output)
    good, failed, killed = (_Run(script.body, ends) for ends in (0, 1, 137))
    if not good.started:
        return [*problems, "The training is not started at all: keep the line with torchrun."]
    if good.code != 0:
        problems.append(f"The training ends well, and the job with exit code {good.code}: it must be 0.")
    if "done" not in good.printed:
        problems.append("The training ends well, and the job does not say 'done': keep the last line for this case.")
    if "epoch 1/5" not in good.result:
        problems.append("The training's output must still be in training.txt.")
    for run, what in ((failed, "fails with exit code 1"), (killed, "is killed (137)")):
        if run.code == 0:
            problems.append(
                f"The training {what}, and the job ends with 0: Slurm will call it COMPLETED. In a pipeline bash takes "
                "the exit code of the last command (tee), unless you say: set -o pipefail"
            )
        if "done" in run.printed:
            problems.append(f"The training {what}, and the job says 'done': end it at the first error with set -e.")
    return problems


def _log(output: str | None) -> list[str]:
    if output is None:
        return []  # slurm-%j.out, in a folder that exists
    problems = []
    if "/" in output.lstrip("./"):
        problems.append(
            f"--output={output}: Slurm makes no folders, and a fresh clone has none. Write the log where you submit."
        )
    if "%j" not in output and "%J" not in output and "%A" not in output:
        problems.append(f"--output={output}: the next job overwrites this log. Put the job id into it: %j")
    return problems


class _Run:
    """What one run of the body did, with a torchrun that ends in a given way."""

    def __init__(self, body: str, ends: int):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            for part in (".venv/bin", "scripts/train"):
                (folder / part).mkdir(parents=True)
            (folder / ".venv" / "bin" / "activate").touch()
            env = {
                **os.environ,
                "PATH": stand_ins(folder, {"torchrun": TORCHRUN, "srun": '#!/bin/bash\nexec "$@"\n'}),
                "STARTED": str(folder / "started"),
                "ENDS": str(ends),
                "SLURM_JOB_ID": "4711",
                "SLURM_CPUS_PER_TASK": "4",
                "SLURM_GPUS_ON_NODE": "2",
            }
            done = subprocess.run(["bash", "-c", body], cwd=folder, env=env, capture_output=True, text=True, timeout=60)
            self.code, self.printed = done.returncode, done.stdout
            self.started = (folder / "started").exists()
            result = folder / "training.txt"
            self.result = result.read_text() if result.exists() else ""
