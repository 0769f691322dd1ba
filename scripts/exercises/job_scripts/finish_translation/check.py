"""Is the half-translated script now a PBS script, header and commands, that still starts the same training?

Its commands run as two jobs, with an ``mpiexec`` and a ``python`` that only note their calls.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from itertools import pairwise
from pathlib import Path

from workshop.exercise import stand_ins
from workshop.jobs import Script, read_script
from workshop.jobs.check import check as check_script

# What the header asks for, which the exercise leaves as it is.
REQUEST = {"nodes": 2, "gpus_per_node": 2, "cpus_total": 16, "time_s": 7200, "tasks": 4}
FOREIGN = re.compile(r"\$\{?SLURM_\w+|\bSLURM_\w+|\bsrun\b|\bscontrol\b")
NODES = ("node01", "node02")
JOBS = ("4711.head", "4712.head")
LAUNCHERS = ("mpiexec", "mpirun")
RECORDER = """#!{python}
import json, pathlib, sys
pathlib.Path({call!r}).write_text(json.dumps([pathlib.Path(sys.argv[0]).name, *sys.argv[1:]]))
"""


def check(path: Path) -> list[str]:
    """What is still wrong with the PBS job script ``path``: one sentence each, empty if nothing."""
    script = read_script(path, scheduler="pbs")
    findings = check_script(script).of("error", "warning")
    problems = [f"Line {finding.line}: {finding.message}" for finding in findings]
    problems += _foreign(script) + _header(script)
    return problems or _commands(path)


def _foreign(script: Script) -> list[str]:
    found = sorted(set(FOREIGN.findall(script.body)))
    return [f"The commands still use words of Slurm: {', '.join(found)}."] if found else []


def _header(script: Script) -> list[str]:
    changed = [name for name, value in REQUEST.items() if getattr(script.request, name) != value]
    return [f"The request has changed ({', '.join(changed)}): keep what the header asks for."] if changed else []


def _commands(path: Path) -> list[str]:
    calls = []
    for job in JOBS:
        with tempfile.TemporaryDirectory() as folder:
            result, call = _run(path, Path(folder), job)
        if result.returncode != 0:
            said = re.sub(r"^.*?: line", "line", result.stderr.strip().splitlines()[0]) if result.stderr else ""
            return [f"In a job with PBS_JOBID={job} the script ends with exit code {result.returncode}: {said}"]
        if call is None:
            return ["No command starts train.py."]
        calls.append(call)
    problems = _launch(calls[0])
    (host, port), (_, other_port) = map(_master, calls)
    if host != NODES[0]:
        problems.append(f"The master is '{host}': take the first node, which is the first line of $PBS_NODEFILE.")
    if not port.isdecimal() or not 1024 <= int(port) <= 65535:
        problems.append(f"'{port}' is no port: it must be a number from 1024 to 65535.")
    elif port == other_port:
        problems.append("The port is the same for every job: compute it from the job's id.")
    return problems


def _run(path: Path, folder: Path, job: str) -> tuple[subprocess.CompletedProcess, list[str] | None]:
    """The script as one job: how it ended, and the words of the command that started train.py."""
    call, hosts = folder / "call.json", folder / "nodes"
    hosts.write_text("".join(f"{node}\n" * 2 for node in NODES))
    recorder = RECORDER.format(python=sys.executable, call=str(call))
    says = {"hostname": f"#!/bin/bash\necho {NODES[0]}\n", "module": "#!/bin/bash\n"}
    env = {name: value for name, value in os.environ.items() if not name.startswith(("SLURM_", "PBS_"))}
    env |= {"PBS_JOBID": job, "PBS_NODEFILE": str(hosts), "PBS_O_WORKDIR": str(folder)}
    env["PATH"] = stand_ins(folder, {**dict.fromkeys((*LAUNCHERS, "python", "python3"), recorder), **says})
    result = subprocess.run(
        ["bash", str(path.resolve())], cwd=folder, env=env, capture_output=True, text=True, timeout=60
    )
    words = json.loads(call.read_text()) if call.exists() else []
    return result, words if any(word.endswith("train.py") for word in words) else None


def _launch(call: list[str]) -> list[str]:
    launcher, *words = call
    if launcher not in LAUNCHERS:
        return ["python alone starts one process: start the four ranks with mpiexec or mpirun."]
    ranks = [value for option, value in pairwise(words) if option in ("-n", "-np", "--n", "--np")]
    if ranks and ranks[0] != str(REQUEST["tasks"]):
        return [f"{launcher} starts {ranks[0]} rank(s): the header has two on each of two nodes."]
    return []


def _master(call: list[str]) -> tuple[str, str]:
    """Host and port that train.py was given; empty where it was not."""
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--master", default="")
    start = next(number for number, word in enumerate(call) if word.endswith("train.py"))
    host, _, port = parser.parse_known_args(call[start + 1 :])[0].master.rpartition(":")
    return host, port
