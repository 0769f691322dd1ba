"""``sbatch``, ``qsub`` and ``bsub`` called from a rehearsed script: noted down, rehearsed after that job."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from tasks import Job

ANSWERS = {
    "sbatch": "Submitted batch job {id}",
    "qsub": "{id}",
    "bsub": "Job <{id}> is submitted to default queue <normal>.",
}
SCHEDULERS = {"sbatch": "slurm", "qsub": "pbs", "bsub": "lsf"}
# Options without a value; every other one that starts with a dash takes the next word unless it has an '='.
FLAGS = {
    "sbatch": {
        "--parsable",
        "--requeue",
        "--no-requeue",
        "--exclusive",
        "--test-only",
        "-Q",
        "--quiet",
        "-v",
        "--hold",
        "-H",
        "--wait",
    },
    "qsub": {"-V", "-z", "-h", "-f", "-I", "-X"},
    "bsub": {"-ti", "-x", "-r", "-rn", "-K", "-I", "-Is", "-Ip", "-N", "-B", "-H"},
}


def play(job: Job, command: str, arguments: list[str]) -> int:
    """Note the submission and answer as the scheduler does, with a new job id."""
    scheduler = SCHEDULERS[command]
    if scheduler != job.facts["scheduler"].replace("torque", "pbs"):
        job.say(command, f"this is a rehearsed {job.facts['scheduler']} job: it cannot submit to another scheduler")
        return 1
    options, words = _split(command, arguments)
    if "--wait" in options or "block=true" in options or "-K" in options:
        job.say(
            command, "waiting for a submitted job is not rehearsed: jobs submitted by a job are rehearsed after it ends"
        )
        return 1
    script, script_arguments = _script(job, command, words)
    if script is None:
        return 1
    ticket = subprocess.run(job.facts["new_id"], capture_output=True, text=True, check=True).stdout.strip()
    number = len(list((job.state / "submitted").glob("*.json")))
    note = {
        "script": str(script),
        "arguments": script_arguments,
        "options": options,
        "ticket": ticket,
        "cwd": os.getcwd(),
        "environment": dict(os.environ),
    }
    (job.state / "submitted" / f"{number}.json").write_text(json.dumps(note))
    shown = f"{ticket}.{job.facts['server']}" if command == "qsub" else ticket
    print(shown if "--parsable" in options else ANSWERS[command].format(id=shown))
    return 0


def _split(command: str, arguments: list[str]) -> tuple[list[str], list[str]]:
    """Options (with their values) and what follows them."""
    words, options = list(arguments), []
    while words and words[0].startswith("-") and words[0] != "-":
        option = words.pop(0)
        options.append(option)
        if (
            option not in FLAGS[command]
            and "=" not in option
            and words
            and not (option[1] != "-" and len(option) > 2 and command == "sbatch")
        ):
            options.append(words.pop(0))
    return options, words


def _script(job: Job, command: str, words: list[str]) -> tuple[Path | None, list[str]]:
    """The script as it is now (a later change must not matter), kept under its own name."""
    folder = job.state / "submitted" / str(len(list((job.state / "submitted").glob("*.json"))))
    folder.mkdir(parents=True, exist_ok=True)
    if command == "bsub" and words:
        job.say("bsub", "rehearsed only as 'bsub < SCRIPT': without '<', LSF does not read the #BSUB lines of a file")
        return None, []
    if not words or words[0] == "-":
        copy = folder / "STDIN"
        copy.write_text(sys.stdin.read())
        return copy, []
    source = Path(words[0])
    if not source.is_file():
        print(f"{command}: script file: {source}: No such file or directory", file=sys.stderr)
        return None, []
    copy = folder / source.name
    copy.write_bytes(source.read_bytes())
    return copy, words[1:]
