"""Does the training wait for the success of the preparation? The script runs with a ``bsub`` that only notes its calls.

Two ways are right: ``bsub -K``, which waits and hands on the job's exit code, and a dependency, ``-w "done(…)"``.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from workshop.exercise import stand_ins

BSUB = """#!{python}
import json, os, pathlib, re, sys
calls = pathlib.Path({calls!r})
script = sys.stdin.read()
found = re.search(r"^#BSUB -J (\\S+)", script, flags=re.M)
name = found[1] if found else "nothing"
number = 7001 + 37 * len(list(calls.iterdir()))
(calls / str(number)).write_text(json.dumps(dict(name=name, options=sys.argv[1:])))
print(f"Job <{{number}}> is submitted to default queue <normal>.")
sys.exit(int(os.environ["PREPARE_ENDS_WITH"]) if "-K" in sys.argv and name == "prepare" else 0)
"""
JOBS = ("prepare", "train")


def check(path: Path) -> list[str]:
    """What is still wrong with the shell script ``path``: empty if nothing."""
    good, bad = _run(path, 0), _run(path, 3)
    missing = [name for name in JOBS if name not in good.jobs]
    if missing:
        return [f"The script hands no {name}.lsf to bsub: mind the '<'." for name in missing]
    if good.code != 0:
        return [f"Although both jobs succeed, the script ends with exit code {good.code}: {good.errors}"]
    if good.depends():
        return []
    if "-K" not in good.jobs["prepare"]["options"]:
        return ["bsub returns at once: train is submitted while prepare still waits. Let bsub wait, or train depend."]
    if "train" in bad.jobs:
        return ["When prepare ends with exit code 3, train is submitted all the same: bsub -K returns that code."]
    if bad.code == 0:
        return ["When prepare fails, the script must fail, too: it ends with exit code 0."]
    return []


class _Run:
    """What one run of the learner's script submitted, and how it ended."""

    def __init__(self, calls: Path, result: subprocess.CompletedProcess) -> None:
        self.code, self.errors = result.returncode, result.stderr.strip()
        self.jobs = {}
        for call in sorted(calls.iterdir()):
            note = json.loads(call.read_text())
            self.jobs[note["name"]] = note | {"id": call.name}

    def depends(self) -> bool:
        """Whether train has the condition that prepare is done, by its id or its name."""
        options = self.jobs["train"]["options"]
        condition = options[options.index("-w") + 1] if "-w" in options[:-1] else ""
        found = re.fullmatch(r"\s*done\(\s*[\"']?([\w-]+)[\"']?\s*\)\s*", condition)
        return bool(found) and found[1] in (self.jobs["prepare"]["id"], "prepare")


def _run(path: Path, ends_with: int) -> _Run:
    with tempfile.TemporaryDirectory() as folder:
        calls = Path(folder, "calls")
        calls.mkdir()
        bsub = BSUB.format(python=sys.executable, calls=str(calls))
        for name in JOBS:
            Path(folder, f"{name}.lsf").write_text(
                f"#!/bin/bash\n#BSUB -J {name}\n#BSUB -o {name}-%J.out\n\necho {name}\n"
            )
        env = {
            **os.environ,
            "PATH": stand_ins(Path(folder), {"bsub": bsub}),
            "PREPARE_ENDS_WITH": str(ends_with),
        }
        command = ["bash", str(path.resolve())]
        return _Run(calls, subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=60))
