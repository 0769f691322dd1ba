"""Does the job draw into a file, without a display, and ask for no more than one picture needs?"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from workshop.exercise import stand_ins
from workshop.jobs import Script, read_script

MOST_SECONDS = 10 * 60
MOST_BYTES = 2 * 1024**3
# Stands for Python: writes down how it was started, and with which display.
PYTHON = """#!{python}
import json, os, sys
with open({seen!r}, "a") as file:
    file.write(json.dumps([sys.argv[1:], os.environ.get("DISPLAY")]) + chr(10))
"""


def check(path: Path) -> list[str]:
    """What is still wrong with the Slurm job script ``path``: empty if nothing."""
    return _asks_too_much(read_script(path, scheduler="slurm")) + _draws_on_a_display(Path(path))


def _asks_too_much(script: Script) -> list[str]:
    request = script.request
    problems = []
    if request.gpus_per_node or request.gpus_total:
        problems.append("The job asks for a GPU, but Mesa draws this cube on a core.")
    if (request.tasks or 1) * (request.cpus_per_task or 1) > 1:
        problems.append("One core draws one picture in a second: ask for one task with one core.")
    if request.time_s is None or request.time_s > MOST_SECONDS:
        problems.append("The picture is ready in seconds: ask for ten minutes at most.")
    if request.mem is None or not request.mem.value or request.mem.value > MOST_BYTES:
        problems.append("A picture of 640 x 480 pixels needs no 2 GB of memory: ask for 1G.")
    return problems


def _draws_on_a_display(path: Path) -> list[str]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        seen = folder / "seen"
        program = PYTHON.format(python=sys.executable, seen=str(seen))
        env = {**os.environ, "PATH": stand_ins(folder, {"python3": program, "python": program})}
        env.pop("DISPLAY", None)
        done = subprocess.run(
            ["bash", str(path.resolve())], cwd=folder, env=env, capture_output=True, text=True, timeout=60, check=False
        )
        calls = [json.loads(line) for line in seen.read_text().splitlines()] if seen.exists() else []
    ours = [call for call in calls if any(word.endswith("cube.py") for word in call[0])]
    if not ours:
        return [f"The script never starts cube.py. {done.stderr.strip()}".strip()]
    problems = []
    if not all(any(word.startswith("--picture") for word in arguments) for arguments, _ in ours):
        problems.append("cube.py opens a window, and a job has nobody who looks: let it write a file with --picture.")
    if any(display for _, display in ours):
        problems.append("DISPLAY names the screen of a desktop that is not there in this job: take the line out.")
    return problems
