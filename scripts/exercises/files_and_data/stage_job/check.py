"""Run the job's body with a training that ends well, crashes, or is stopped, and look where its files are."""

import os
import signal
import subprocess
import tarfile
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from workshop.exercise import stand_ins
from workshop.jobs import read_script

JOB_ID = "4711"
# Stands in for the training: it notes where its data lies, leaves a result, then ends as told.
PYTHON = """#!/bin/bash
runs=runs
while (($#)); do
    case $1 in
        --data-dir=*) data=${1#*=} ;; --data-dir) data=$2 ;;
        --runs=*) runs=${1#*=} ;; --runs) runs=$2 ;;
        --name=*) name=${1#*=} ;; --name) name=$2 ;;
    esac
    shift
done
cd "$data" && pwd -P > "$NOTES/data" && ls 0/0000.png > "$NOTES/image"
cd "$OLDPWD"
mkdir --parents "$runs/$name" && echo '{"epoch": 1}' > "$runs/$name/metrics.jsonl"
touch "$NOTES/trained"
[[ $MODE == stopped ]] && exec sleep 60
[[ $MODE == done ]]
"""
SRUN = '#!/bin/bash\nwhile [[ $1 == -* ]]; do shift; done\nexec "$@"\n'


@dataclass
class _Result:
    """What one run left: exit code (None: it had to be killed), data folder, names of runs, remains, new files."""

    code: int | None
    data: str
    image: bool
    home: bool
    left: list[str]
    unpacked: bool
    message: str


def check(path: Path) -> list[str]:
    """What is still wrong with the Slurm job script ``path``: one sentence each, empty if nothing."""
    script = read_script(path, scheduler="slurm")
    good = _run(script.body, "done")
    if not good.data:
        return [f"The training was not started with a --data-dir that exists: {good.message}"]
    problems = []
    if good.unpacked:
        problems.append("The archive is unpacked on the shared disk: extract it into a folder below $SLURM_TMPDIR.")
    elif "/node_disk" not in good.data or not good.image:
        problems.append(f"The training does not read the unpacked images from the node's disk, but {good.data}.")
    if good.code != 0:
        problems.append(f"Training ended well, and the job ends with exit code {good.code}: {good.message}")
    if not good.home:
        problems.append("The results of a training that ended well are not in runs/ on the shared disk.")
    crashed, stopped = _run(script.body, "crashed"), _run(script.body, "stopped")
    if crashed.code == 0:
        problems.append("Training crashed, and the job ends with exit code 0: nobody will notice.")
    if not crashed.home:
        problems.append("After a crash nothing is brought home: 'set -e' ends the script. Use trap … EXIT.")
    if not stopped.home:
        problems.append("Told to stop (TERM to all), nothing is brought home: the shell must live on: trap : TERM.")
    if stopped.code is None:
        problems.append("Told to stop (TERM to all), the job is still there 20 s later, and would be killed.")
    left = {name for result in (good, crashed, stopped) for name in result.left}
    if left:
        problems.append(f"Left on the node's disk: {', '.join(sorted(left))}. Remove what you made there.")
    return problems


def _run(body: str, mode: str) -> _Result:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        shared, disk, notes = (folder / n for n in ("shared", "node_disk", "notes"))
        for new in (shared / ".venv" / "bin", shared / "data", disk, notes):
            new.mkdir(parents=True)
        (shared / ".venv" / "bin" / "activate").touch()
        with tarfile.open(shared / "data" / "digits.tar", "w") as archive:
            (folder / "0000.png").write_bytes(b"image")
            archive.add(folder / "0000.png", "digits/0/0000.png")
        env = {
            **os.environ,
            "PATH": stand_ins(folder, {"python": PYTHON, "srun": SRUN}),
            "SLURM_JOB_ID": JOB_ID,
            "SLURM_CPUS_PER_TASK": "2",
            "SLURM_SUBMIT_DIR": str(shared),
            "SLURM_TMPDIR": str(disk),
            "TMPDIR": str(disk),
            "NOTES": str(notes),
            "MODE": mode,
        }
        code, message = _until_end(body, shared, env, notes / "trained", mode == "stopped")
        return _Result(
            code=code,
            data=(notes / "data").read_text().strip() if (notes / "data").exists() else "",
            image=bool((notes / "image").exists() and (notes / "image").read_text()),
            home=any((shared / "runs").rglob("metrics.jsonl")),
            left=[p.name for p in disk.iterdir()] if disk.exists() else [],
            unpacked=any(shared.rglob("0000.png")),
            message=message,
        )


def _until_end(body: str, folder: Path, env: dict, trained: Path, stop: bool) -> tuple[int | None, str]:
    """Exit code and last line of the job's body; with ``stop`` all its processes get TERM once training has begun."""
    with tempfile.TemporaryFile("w+") as log:
        job = subprocess.Popen(
            ["bash", "-c", body], cwd=folder, env=env, stdout=log, stderr=subprocess.STDOUT, start_new_session=True
        )
        deadline = time.monotonic() + 20
        while stop and not trained.exists() and job.poll() is None and time.monotonic() < deadline:
            time.sleep(0.02)
        try:
            if stop and job.poll() is None:
                os.killpg(job.pid, signal.SIGTERM)
            code = job.wait(20)
        except subprocess.TimeoutExpired:
            os.killpg(job.pid, signal.SIGKILL)
            job.wait()
            code = None
        log.seek(0)
        return code, (log.read().strip().splitlines() or ["no message"])[-1]
