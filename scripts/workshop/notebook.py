"""What the notebooks of the workshop share: running commands and jobs, and saying which engine ran them."""

import functools
import os
import re
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from workshop.cluster.machine import missing_slurm
from workshop.paths import REPO

__all__ = ["REPO", "Job", "engine", "run", "submit"]

_ENGINES = ("practice", "rehearsal", "real")
_SUFFIX = {"slurm": ".sbatch", "pbs": ".pbs", "lsf": ".lsf"}


def run(command: str, check: bool = True, show: bool = True, timeout_s: float = 280) -> str:
    """Run a shell command in the repository's root, print what it prints, and return that.

    Args:
        command: for bash.
        check: raise where the command fails; its output is printed first.
        show: print the output.
        timeout_s: seconds after which the command is ended.

    Raises:
        RuntimeError: the command failed (``check``), with its exit code.
        subprocess.TimeoutExpired: it ran too long.
    """
    # `python` and `torchrun` must be this environment's, also where nobody activated it.
    here = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    env = {**os.environ, "PATH": here, "OMP_NUM_THREADS": os.environ.get("OMP_NUM_THREADS", "1")}
    result = subprocess.run(
        ["bash", "-c", command],
        cwd=REPO,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=timeout_s,
    )
    if show and result.stdout:
        print(result.stdout, end="" if result.stdout.endswith("\n") else "\n")
    if check and result.returncode != 0:
        raise RuntimeError(f"exit code {result.returncode} from: {command}")
    return result.stdout


def engine(scheduler: str = "slurm") -> str:
    """Which engine runs the jobs of a notebook: ``practice``, ``rehearsal`` or ``real``.

    The practice cluster (real Slurm on this machine) where Slurm is installed, else a rehearsal. A real cluster's
    scheduler only where the reader asks for it with ``WORKSHOP_ENGINE=real``: *Run all* must not spend an allocation.

    Raises:
        ValueError: WORKSHOP_ENGINE is none of the three.
    """
    wanted = os.environ.get("WORKSHOP_ENGINE")
    if wanted is not None and wanted not in _ENGINES:
        raise ValueError(f"WORKSHOP_ENGINE={wanted!r}: it must be one of {', '.join(_ENGINES)}")
    if wanted:
        return wanted
    return "practice" if scheduler == "slurm" and not missing_slurm() else "rehearsal"


@dataclass
class Job:
    """A job that has ended: where it ran, how it ended, and what it printed."""

    engine: str
    job_id: str
    exit_code: int
    log: str
    log_paths: list[Path]
    elapsed_s: float


def submit(stem: str | Path, *args: str, scheduler: str = "slurm", show: bool = True) -> Job:
    """Submit a job script, wait for its end, and show which engine ran it, the command and the log.

    Args:
        stem: a script of ``scripts/<scheduler>/`` without its ending (``"hello"``), or a path to a script.
        args: arguments for the script.
        scheduler: ``slurm``, ``pbs`` or ``lsf``. PBS and LSF are always rehearsed, unless a real one is asked for.
        show: print what happens.

    Raises:
        FileNotFoundError: there is no such script.
    """
    script = Path(stem)
    if not script.is_file():
        script = REPO / "scripts" / scheduler / f"{stem}{_SUFFIX[scheduler]}"
    if not script.is_file():
        raise FileNotFoundError(f"no job script {script}")
    chosen = engine(scheduler)
    started = time.monotonic()
    runner = {"practice": _on_practice_cluster, "real": _for_real, "rehearsal": _in_rehearsal}[chosen]
    job = runner(script, args, scheduler)
    job.elapsed_s = time.monotonic() - started
    if show:
        _describe(job, script)
    return job


_SAYS = {
    "practice": "the practice cluster (real Slurm on this machine)",
    "rehearsal": "a rehearsal (no scheduler: the script's body with the variables that it would see)",
    "real": "this cluster's own scheduler",
}


def _describe(job: Job, script: Path) -> None:
    name = script.relative_to(REPO) if script.is_relative_to(REPO) else script
    print(f"engine: {_SAYS[job.engine]}")
    print(f"script: {name}   job {job.job_id}   exit code {job.exit_code}   {job.elapsed_s:.1f} s")
    for path in job.log_paths:
        print(f"--- {path.name}")
    print(job.log, end="" if job.log.endswith("\n") else "\n")


# A job in one of these states goes on; an array shows one state for each task.
_UNFINISHED = {"PENDING", "CONFIGURING", "RUNNING", "COMPLETING", "SUSPENDED", "REQUEUED", "STOPPED"}


def _sbatch(script: Path, args: tuple[str, ...], run_command) -> Job:
    """Submit, and look every half second whether the job has ended.

    ``sbatch --wait`` looks less and less often: it returned up to 30 s after the end of a job.
    """
    result = run_command(["sbatch", "--parsable", str(script), *args], cwd=REPO, capture_output=True, text=True)
    job_id = result.stdout.strip().split(";")[0]
    if not job_id:
        raise RuntimeError(f"sbatch refused {script}: {result.stderr.strip()}")
    while True:
        shown = run_command(["scontrol", "show", "job", job_id], capture_output=True, text=True).stdout
        if not _UNFINISHED & set(re.findall(r"JobState=(\w+)", shown)):
            break
        time.sleep(0.5)
    paths = [Path(p) for p in sorted(set(re.findall(r"StdOut=(.+)", shown))) if Path(p).is_file()]
    text = "".join(p.read_text(errors="replace") for p in paths)
    codes = [int(code) or int(signal) for code, signal in re.findall(r"\bExitCode=(\d+):(\d+)", shown)]
    return Job("practice", job_id, max(codes, default=0), text, paths, 0.0)


def _on_practice_cluster(script: Path, args: tuple[str, ...], scheduler: str) -> Job:
    from workshop.cluster import Cluster

    # One that is up already is used as it is; for one job alone no database is needed.
    with Cluster.running(want_accounting=False) as cluster:
        return _sbatch(script, args, cluster.run)


def _outside_a_job() -> dict[str, str]:
    """The environment without the variables of a job around this process; SLURM_CONF, where Slurm is, stays."""
    ours = ("SLURM_", "SBATCH_", "SRUN_")
    return {name: value for name, value in os.environ.items() if name == "SLURM_CONF" or not name.startswith(ours)}


def _for_real(script: Path, args: tuple[str, ...], scheduler: str) -> Job:
    if scheduler != "slurm":
        raise RuntimeError(f"WORKSHOP_ENGINE=real waits for Slurm jobs only: submit {script} by hand")
    # A notebook in a session of OnDemand or JupyterHub runs in a job: what that job got must not reach the new one.
    job = _sbatch(script, args, functools.partial(subprocess.run, env=_outside_a_job()))
    job.engine = "real"
    return job


def _in_rehearsal(script: Path, args: tuple[str, ...], scheduler: str) -> Job:
    from workshop.rehearse import rehearse

    result = rehearse(script, args=args, workdir=REPO, scheduler=scheduler, quiet=True)
    return Job("rehearsal", result.job_id, result.exit_code, result.stdout, list(result.log_paths), 0.0)
