"""Submit twice from a small repository, edit and commit in between, and only then let both jobs run."""

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

# The project's job script: it runs main.py of the folder $CODE, or of the present folder.
JOB = """#!/bin/bash
#SBATCH --job-name=train
set -euo pipefail
code=${CODE:-.}
python "$code/main.py"
"""
# Stands in for sbatch: keeps the script (as Slurm's spool does), the environment, the folder and the options.
SBATCH = f"""#!{sys.executable}
import json, os, sys
from pathlib import Path
place = Path(os.environ["SPOOL"])
job = place / str(len(list(place.iterdir())) + 1)
job.mkdir()
options, script = {{}}, None
words = iter(sys.argv[1:])
for word in words:
    if script is None and word.startswith("-"):
        name, has_value, value = word.partition("=")
        takes_next = name in ("--output", "-o", "--chdir", "-D", "--export", "--job-name", "-J")
        options[name] = value if has_value else next(words) if takes_next else ""
    elif script is None:
        script = word
try:
    (job / "script").write_text(Path(script).read_text() if script else sys.stdin.read())
except OSError as error:
    sys.exit(f"sbatch: error: Unable to open file {{script}}: {{error.strerror}}")
env = dict(os.environ)
for pair in options.get("--export", "ALL").split(","):
    name, has_value, value = pair.partition("=")
    if has_value:
        env[name] = value
folder = Path(options.get("--chdir", options.get("-D", ".")))
output = folder / options.get("--output", options.get("-o", "slurm-%j.out"))
log = output.parent.is_dir()
(job / "job.json").write_text(json.dumps({{"env": env, "folder": str(folder.resolve()), "log": log}}))
print(job.name if "--parsable" in options else f"Submitted batch job {{job.name}}")
"""


def check(path: Path) -> list[str]:
    """What is still wrong with the script ``path`` that submits the job: one sentence each, empty if nothing."""
    with tempfile.TemporaryDirectory() as name:
        place = Path(name).resolve()
        project, spool, programs = place / "project", place / "spool", place / "bin"
        for folder in (project, spool, programs):
            folder.mkdir()
        (programs / "sbatch").write_text(SBATCH)
        (programs / "sbatch").chmod(0o755)
        (programs / "python").symlink_to(sys.executable)
        env = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "SPOOL": str(spool)}
        env = {key: value for key, value in env.items() if key != "CODE" and not key.startswith("GIT_")}
        git = ["git", "-c", "user.name=you", "-c", "user.email=you@example.org"]

        def write(version: str) -> None:
            (project / "main.py").write_text(f"import helper\nprint('main of', {version!r}, '-', helper.VERSION)\n")
            (project / "helper.py").write_text(f"VERSION = 'helper of {version}'\n")

        def call(*words) -> subprocess.CompletedProcess:
            return subprocess.run(words, cwd=project, env=env, capture_output=True, text=True, timeout=60)

        write("first commit")
        (project / "train.sbatch").write_text(JOB)
        (project / ".gitignore").write_text("__pycache__\n/snapshots\n/logs\n")
        call(*git, "init", "--quiet", ".")
        submitted = []
        for version in ("first commit", "second commit"):
            write(version)
            call(*git, "add", ".")
            call(*git, "commit", "--quiet", f"--message={version}")
            submitted.append(call("bash", str(Path(path).resolve())))
            write("later edit")  # you go on working before the job starts
        for done in submitted:
            if done.returncode != 0:
                reason = (done.stderr.strip().splitlines() or ["no message"])[-1]
                return [f"The script ends with exit code {done.returncode}: {reason}"]
        return _judge(sorted(spool.iterdir(), key=lambda job: int(job.name)))


def _judge(jobs: list[Path]) -> list[str]:
    if len(jobs) != 2:
        return [f"Called twice, the script must submit two jobs; it submitted {len(jobs)}."]
    problems, facts = [], [json.loads((job / "job.json").read_text()) for job in jobs]
    if not all(fact["log"] for fact in facts):
        problems.append("The folder of the log does not exist when the job is submitted: Slurm will not make it.")
    for job, fact, version in zip(jobs, facts, ("first commit", "second commit"), strict=True):
        command = ["bash", str(job / "script")]
        done = subprocess.run(command, cwd=fact["folder"], env=fact["env"], capture_output=True, text=True, timeout=60)
        ran = set(re.findall(r"(later edit|first commit|second commit)", done.stdout))
        if done.returncode != 0:
            reason = (done.stderr.strip().splitlines() or ["no message"])[-1]
            problems.append(f"The job of the {version} fails: {reason}")
        elif ran != {version}:
            problems.append(
                f"The job that was submitted at the {version} runs the code of the {' and the '.join(sorted(ran))}: "
                "it must run a copy of what was committed then, in a folder of its own for each commit."
            )
    return problems
