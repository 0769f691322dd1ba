"""OpenPBS / PBS Professional (and Torque's few differences) as a batch script sees it: tests/records/pbs."""

from __future__ import annotations

import os
import pwd
import secrets
import shutil
import signal
from pathlib import Path
from typing import Any

from workshop.rehearse.base import (
    DEFAULT_PATH,
    SERVER,
    Outcome,
    Run,
    Scheduler,
    interpreter,
    mpi_environment,
    shell_status,
    user,
    write_copy,
)
from workshop.rehearse.plan import CannotRehearse

KILL_DELAY_S = (
    10  # measured between TERM and KILL (tests/records/pbs/03_kill_exit.txt; attribute kill_delay of a queue)
)
WALLTIME_EXCEEDED = -29  # Exit_status recorded there


class Pbs(Scheduler):
    """qsub(1B): starts in the home folder, umask 077, without the submitter's variables."""

    name = "pbs"
    title = "PBS"
    standins = ("pbsdsh", "pbs_tmrsh", "qsub", "ssh")
    not_imitated = Scheduler.not_imitated + ", your login files (.bash_profile), which PBS runs first"

    def job_id(self, run: Run) -> str:
        index = "" if run.index is None else f"[{run.index}]"
        return f"{run.number}{index}.{SERVER}"

    def environment(self, run: Run) -> dict[str, str]:
        if run.arguments:
            raise CannotRehearse(
                "qsub takes no arguments for the script: pass values with -v NAME=VALUE (tests/records/pbs/02)."
            )
        if b"\r\n" in run.source.read_bytes():
            raise CannotRehearse(
                "qsub: script contains cr, lf (tests/records/pbs/05; OpenPBS up to 23.06.06 takes it, and the job "
                "ends with 127): a file from Windows, mend it with sed -i 's/\\r$//' FILE"
            )
        env = self._submitted(run) | run.extra | self._account(run) | self._job_variables(run)
        env["PATH"] = run.with_bin(DEFAULT_PATH)
        return env | mpi_environment(run)

    def _submitted(self, run: Run) -> dict[str, str]:
        """``-V`` copies the environment, ``-v`` names variables, otherwise nothing comes along."""
        outer = run.outer()
        keep = dict(outer) if run.script.last("-V") else {}
        for value in run.script.values("-v"):
            for item in (value or "").split(","):
                name, equals, text = item.partition("=")
                if not equals and name not in outer:
                    raise CannotRehearse(
                        f"qsub: cannot send environment with the job: -v {name} names a variable that is not set."
                    )
                keep[name] = text if equals else outer[name]
        return keep

    def _account(self, run: Run) -> dict[str, str]:
        me = user()
        try:
            shell = pwd.getpwuid(os.getuid()).pw_shell or "/bin/bash"
        except KeyError:
            shell = "/bin/bash"
        home = run.submitter.get("HOME", str(Path.home()))
        return {"HOME": home, "LOGNAME": me, "USER": me, "SHELL": shell, "SHLVL": "1"}

    def _job_variables(self, run: Run) -> dict[str, str]:
        first, job_id, outer = run.nodes[0], self.job_id(run), run.submitter
        # As recorded: NCPUS and OMP_NUM_THREADS are the chunk's ncpus, or both its ompthreads.
        threads = str(first.threads or first.cpus)
        temporary = run.state / "tmp" / f"pbs.{job_id}"
        temporary.mkdir(parents=True, exist_ok=True, mode=0o700)
        queue = run.script.request.partition or "workq"
        env = {
            "ENVIRONMENT": "BATCH",
            "NCPUS": threads,
            "OMP_NUM_THREADS": threads,
            "PBS_ENVIRONMENT": "PBS_BATCH",
            "PBS_JOBCOOKIE": secrets.token_hex(16).upper(),
            "PBS_JOBDIR": str(self.start_folder(run)),
            "PBS_JOBID": job_id,
            "PBS_JOBNAME": run.name,
            "PBS_MOMPORT": "15003",
            "PBS_NODEFILE": str(self._node_file(run)),
            "PBS_NODENUM": "0",
            "PBS_O_HOME": outer.get("HOME", ""),
            "PBS_O_HOST": SERVER,
            "PBS_O_INTERACTIVE_AUTH_METHOD": "resvport",  # these two only after release 23.06.06
            "PBS_O_INTERACTIVE_ENCRYPT_METHOD": "",
            "PBS_O_LOGNAME": user(),
            "PBS_O_PATH": outer.get("PATH", ""),
            "PBS_O_QUEUE": queue,
            "PBS_O_SHELL": outer.get("SHELL", "/bin/bash"),
            "PBS_O_SYSTEM": "Linux",
            "PBS_O_WORKDIR": str(run.workdir),
            "PBS_QUEUE": queue,
            "PBS_TASKNUM": "1",
            "TMPDIR": str(temporary),
        }
        if "LANG" in outer:
            env["PBS_O_LANG"] = outer["LANG"]
        if run.index is not None:
            env |= {"PBS_ARRAY_ID": f"{run.number}[].{SERVER}", "PBS_ARRAY_INDEX": str(run.index)}
        return env

    def _node_file(self, run: Run) -> Path:
        """One line for each mpiproc, chunk by chunk; line 1 is the script's node."""
        path = run.state / "aux" / self.job_id(run)
        path.parent.mkdir(exist_ok=True)
        path.write_text("".join(f"{node.name}\n" * node.slots for node in run.nodes))
        return path

    def task_environment(self, run: Run, env: dict[str, str]) -> dict[str, str]:
        """What a task started through PBS (pbsdsh) sees: the job's variables, no exports (records, 06)."""
        names = ("ENVIRONMENT", "NCPUS", "OMP_NUM_THREADS", "TMPDIR", "HOME")
        kept = {k: v for k, v in env.items() if k.startswith("PBS_") or k in names}
        # The stand-ins' folder is added: a real node finds the programs of its MPI the same way.
        return kept | {"PATH": f"{run.bin}:/bin:/usr/bin"}

    def start_folder(self, run: Run) -> Path:
        return Path(run.submitter.get("HOME", str(Path.home())))

    def umask(self, run: Run) -> int:
        return 0o077

    def command(self, run: Run) -> list[str]:
        copy = write_copy(run, self._spool_copy(run))
        chosen = run.script.last("-S")
        default = [chosen.value] if chosen and chosen.value else ["/bin/bash"]
        return [*interpreter(run, default), str(copy)]

    def _spool_copy(self, run: Run) -> Path:
        return run.state / "mom_priv" / "jobs" / f"{self.job_id(run)}.SC"

    def logs(self, run: Run) -> tuple[Path, Path]:
        request = run.script.request
        suffix = "" if run.index is None else f".{run.index}"
        names = f"{run.name}.o{run.number}{suffix}", f"{run.name}.e{run.number}{suffix}"
        kept = run.script.last("-k")
        letters = (kept.value or "") if kept else ""
        home = self.start_folder(run)  # -k without d keeps the files there, whatever -o says (records, 02)
        out, err = (
            home / name if letter in letters and "d" not in letters else self._path(run, pattern, name, ending)
            for letter, pattern, name, ending in (
                ("o", request.output, names[0], "OU"),
                ("e", request.error, names[1], "ER"),
            )
        )
        if request.join == "oe":
            return out, out
        if request.join == "eo":
            return err, err
        return out, err

    def _path(self, run: Run, pattern: str | None, default: str, ending: str) -> Path:
        """Only ``^array_index^`` is replaced (records, 02); a folder gets JOBID.OU or JOBID.ER in it."""
        if not pattern:
            return run.workdir / default
        name = pattern.split(":", 1)[-1]  # host:path
        if run.index is not None:
            name = name.replace("^array_index^", str(run.index))
        path = run.workdir / name
        return path / f"{self.job_id(run)}.{ending}" if path.is_dir() else path

    def stop_plan(self, run: Run, limit_s: float | None) -> list[dict[str, Any]]:
        if limit_s is None:
            return []
        text = f"=>> PBS: job killed: walltime {limit_s:.0f} exceeded limit {limit_s:.0f}"
        return [
            {"at": limit_s, "signal": "TERM", "to": "all", "limit": True, "say": text},
            {"at": limit_s + KILL_DELAY_S * run.scale, "signal": "KILL", "to": "all", "limit": True},
        ]

    def requeue_plan(self, run: Run) -> list[dict[str, Any]]:
        return []  # qrerun is refused to users (records, 06)

    def outcome(self, run: Run, result: dict[str, Any]) -> Outcome:
        if result["timed_out"]:
            code = WALLTIME_EXCEEDED
        elif result["cancelled"]:
            code = 271
        else:
            code = shell_status(result["returncode"])
        return Outcome(code, f"Exit_status = {code}", "F")

    def deliver(self, run: Run, output: Path, error: Path, result: dict[str, Any]) -> tuple[list[Path], list[str]]:
        out, err = self.logs(run)
        paths, notes = [], []
        if result["returncode"] < 0 and not (result["timed_out"] or result["cancelled"]):
            # The login shell that PBS starts says how the script ended (records, 03).
            how = signal.strsignal(-result["returncode"])
            with error.open("a") as log:
                log.write(f"-bash: line 1: {result['pid']:5d} {how:<23} {self._spool_copy(run)}\n")
        for spool, path in ((output, out),) if out == err else ((output, out), (error, err)):
            if not path.parent.is_dir():
                kept = Path(run.workdir) / f"undelivered-{run.number}"
                notes.append(
                    f"{path.parent} does not exist: PBS leaves the output in the node's folder 'undelivered', "
                    f"where users do not look. Here it is in {kept}"
                )
                kept.mkdir(exist_ok=True)
                path = kept / path.name
            if path.exists() and not path.is_file():  # /dev/null
                continue
            shutil.copyfile(spool, path)
            path.chmod(0o600)
            paths.append(path)
        return paths, notes


class Torque(Pbs):
    """The variables that Torque names differently (its qsub(1B): PBS_ARRAYID, PBS_NP, PBS_NUM_NODES, PBS_NUM_PPN)."""

    name = "torque"
    title = "Torque"

    def _job_variables(self, run: Run) -> dict[str, str]:
        env = super()._job_variables(run)
        index = env.pop("PBS_ARRAY_INDEX", None)
        env.pop("PBS_ARRAY_ID", None)
        if index is not None:
            env["PBS_ARRAYID"] = index
        first = run.nodes[0]
        return env | {
            "PBS_NUM_NODES": str(len(run.nodes)),
            "PBS_NUM_PPN": str(first.slots),
            "PBS_VNODENUM": "0",
            "PBS_NP": str(sum(node.slots for node in run.nodes)),
        }
