"""Does the script save when Slurm warns it before the time limit? It is rehearsed with a limit of some seconds."""

import re
import tempfile
from pathlib import Path

from workshop.jobs import Script, read_script
from workshop.rehearse import CannotRehearse, rehearse

LIMIT_S = 5
WARNING_S = 3  # before the limit, in place of the script's own number


def check(path: Path) -> list[str]:
    """What is still wrong with the Slurm job script ``path``: empty if nothing."""
    script = read_script(path, scheduler="slurm")
    signal = script.request.signal
    if signal is None:
        return ["Nobody is warned before the time limit: keep the --signal line above the first command."]
    if signal.before_s < 30:
        return [f"The warning comes {signal.before_s} s before the limit: too late to save anything of size."]
    if "sleep 600" not in script.body:
        return ["Keep 'sleep 600': it stands for the training."]
    try:
        return [] if _saves(script) else _why_not(script)
    except CannotRehearse as error:
        return [f"The script cannot be rehearsed: {error}"]


def _saves(script: Script) -> bool:
    """Whether the file is there when the (short) rehearsal is over."""
    hurried = re.sub(r"(#SBATCH\s+--signal[= ]\S*@)\d+", rf"\g<1>{WARNING_S}", script.text)
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "job.sbatch"
        copy.write_text(hurried)
        rehearse(copy, workdir=folder, walltime_s=LIMIT_S, delay_scale=0.05)
        return (Path(folder) / "saved.txt").is_file()


def _why_not(script: Script) -> list[str]:
    problems = []
    if script.request.signal.target != "batch_shell" and "srun" not in script.body:
        problems.append(
            "Nobody hears the warning: it goes to the steps that srun started, and there are none. "
            "B: sends it to the shell."
        )
    if not re.search(r"sleep 600\s*&(?!&)", script.body):
        problems.append(
            "The shell waits for the command in the foreground and runs its trap only after that: "
            "start the training with & and wait for it."
        )
    elif not re.search(r"\bwait\b", script.body):
        problems.append("The script ends at once, and the training in the background with it: wait for the training.")
    return problems or ["At the warning no saved.txt was written: is there a trap for the signal that --signal names?"]
