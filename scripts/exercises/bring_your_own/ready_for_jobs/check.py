"""Run the program in a strange folder, end it after its second epoch, and start it again."""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

EPOCHS, ENDED_AFTER = 4, 1  # the run is ended when it has printed the line of this epoch
TOTAL = sum(range(1, EPOCHS + 1))
LINE = re.compile(r"epoch (\d+) total (\d+)")
PATIENCE_S = 60


def check(path: Path) -> list[str]:
    """What is still wrong with the program: one sentence each, empty if nothing."""
    with tempfile.TemporaryDirectory() as name:
        folder, out = Path(name) / "elsewhere", Path(name) / "runs" / "mine"
        folder.mkdir()
        command = [sys.executable, str(Path(path).resolve()), "--out", str(out), "--epochs", str(EPOCHS)]
        first = _epochs_until_ended(command, folder)
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=PATIENCE_S)
        if done.returncode:
            last = (done.stderr.strip().splitlines() or ["no message"])[-1]
            return [f"With --out FOLDER --epochs {EPOCHS} it ends with exit code {done.returncode}: {last}"]
        second = [int(epoch) for epoch, _ in LINE.findall(done.stdout)]
        problems = _where_it_writes(folder, out)
        if not problems:
            problems = _result(out / "result.json")
        without = subprocess.run(command[:2], cwd=folder, capture_output=True, text=True, timeout=PATIENCE_S)
        if without.returncode == 0:
            problems.append("Without --out it runs: make the option required, so that no run writes just anywhere.")
    return problems + _goes_on(first, second)


def _epochs_until_ended(command: list[str], folder: Path) -> list[int]:
    """The epochs of a run that is killed, as at the walltime, when it begins the epoch behind ENDED_AFTER's line."""
    epochs = []
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as run:
        for line in run.stdout:
            if found := LINE.search(line):
                epochs.append(int(found[1]))
            if len(epochs) > ENDED_AFTER + 1:
                run.kill()
    return epochs


def _where_it_writes(folder: Path, out: Path) -> list[str]:
    strange = sorted(path.name for path in folder.iterdir())
    problems = []
    if strange:
        problems.append(f"It writes {', '.join(strange)} into the folder where it is started: all belongs into --out.")
    if not (out / "result.json").is_file():
        problems.append("There is no result.json in the folder that --out names (make the folder if it is not there).")
    return problems


def _result(path: Path) -> list[str]:
    total = json.loads(path.read_text()).get("total")
    if total == TOTAL:
        return []
    return [f"Ended and started again, it has a total of {total} instead of {TOTAL}: save the total with the epoch."]


def _goes_on(first: list[int], second: list[int]) -> list[str]:
    if not first:
        return ["It prints no line 'epoch … total …'."]
    if second and second[0] == 0:
        return ["Started again, it begins with epoch 0: save a checkpoint after each epoch, and read it at the start."]
    return []
