"""Does the job train with exactly the modules that it needs, and stop where one of them is missing?

The body runs with a small stand-in for ``module``, which behaves like Lmod where the exercise needs it: a module must
come after those that it needs, one bad name loads nothing, and a failure is exit code 1.
"""

import os
import subprocess
import tempfile
from pathlib import Path

from workshop.jobs import Script, read_script

MODULE = """
module() {
    while [[ ${1:-} == -* ]]; do shift; done
    local command=${1:-}; shift
    case $command in
        purge) LOADED= ;;
        list) echo "$LOADED" >&2 ;;
        load|add)
            local before=$LOADED name
            for name in "$@"; do
                case $name in
                    gcc|gcc/12) ;;
                    openmpi|openmpi/4.1) [[ $LOADED == *gcc/12* ]] || name=bad ;;
                    PyTorch|PyTorch/2.14.1)
                        [[ $HAVE_PYTORCH == yes && $LOADED == *gcc/12*openmpi/4.1* ]] || name=bad ;;
                    *) name=bad ;;
                esac
                [[ $name != bad ]] || { LOADED=$before; return 1; }
                case $name in gcc) name=gcc/12 ;; openmpi) name=openmpi/4.1 ;; PyTorch) name=PyTorch/2.14.1 ;; esac
                LOADED+=" $name"
            done ;;
        *) return 0 ;;
    esac
    export LOADED
}
ml() { if [[ $1 == purge || $1 == load || $1 == list ]]; then module "$@"; else module load "$@"; fi; }
export -f module ml
"""
TORCHRUN = '#!/bin/bash\necho "$LOADED" > trained\n'
WANTED = {"gcc/12", "openmpi/4.1", "PyTorch/2.14.1"}
LEFT_OVER = "cuda/12.6"


def check(path: Path) -> list[str]:
    """What is still wrong with the Slurm job script ``path``: one sentence each, empty if nothing."""
    script = read_script(path, scheduler="slurm")
    if "bash" not in (script.shebang or ""):
        return ["'module' is a function of bash, and the first line of the script asks for another shell."]
    if "torchrun" not in script.body:
        return ["Keep the training: the line with torchrun."]
    code, loaded = _run(script, have_pytorch=True)
    problems = []
    if loaded is None:
        problems.append(f"No training was started (exit code {code}): load each module after those that it needs.")
    elif not set(loaded) >= WANTED:
        problems.append(
            "The training ran without its modules. A load within a pipe is lost with the pipe's process, and a module "
            "must come after those that it needs: gcc/12, then openmpi/4.1, then PyTorch/2.14.1."
        )
    elif LEFT_OVER in loaded:
        problems.append("Modules of the shell that submitted the job are still loaded: begin with 'module purge'.")
    code, loaded = _run(script, have_pytorch=False)
    if loaded is not None:
        problems.append(
            "Where PyTorch cannot be loaded, the job trains all the same, with whatever it finds: "
            "let the script stop at the first error."
        )
    elif code == 0:
        problems.append("Where PyTorch cannot be loaded, the job ends with exit code 0, as if all were well.")
    return problems


def _run(script: Script, *, have_pytorch: bool) -> tuple[int, list[str] | None]:
    """Exit code of the body, and the modules with which the training started: None where it did not."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "bin").mkdir()
        (folder / "bin" / "torchrun").write_text(TORCHRUN)
        (folder / "bin" / "torchrun").chmod(0o755)
        (folder / "module.sh").write_text(MODULE)
        (folder / "job.sh").write_text(script.text)
        env = {
            **os.environ,
            "PATH": f"{folder / 'bin'}:/usr/local/bin:/usr/bin:/bin",
            "BASH_ENV": str(folder / "module.sh"),
            "LOADED": f" {LEFT_OVER}",
            "HAVE_PYTORCH": "yes" if have_pytorch else "no",
            "SLURM_JOB_ID": "4711",
            "SLURM_GPUS_ON_NODE": "2",
            "SLURM_CPUS_PER_TASK": "4",
        }
        # Functions of a real Lmod in this environment would win over the stand-ins.
        env = {key: value for key, value in env.items() if not key.startswith("BASH_FUNC_")}
        # Not the script's own first line: a login shell (bash -l) would read this machine's start files.
        done = subprocess.run(["bash", "job.sh"], cwd=folder, env=env, capture_output=True, timeout=60)
        trained = folder / "trained"
        return done.returncode, trained.read_text().split() if trained.exists() else None
