"""LSF as a batch script sees it: tests/records/lsf, and IBM's documentation for what the recorded relative lacks."""

from __future__ import annotations

import grp
import os
import time
from pathlib import Path
from typing import Any

from workshop.rehearse.base import (
    SERVER,
    Outcome,
    Run,
    Scheduler,
    interpreter,
    mpi_environment,
    shell_status,
    user,
    with_pid,
    write_copy,
)
from workshop.rehearse.plan import CannotRehearse

# At the run limit USR2, ten minutes later INT, TERM, KILL ten seconds apart (tests/records/lsf/07_usr2_then_kill.txt).
TO_INT_S, BETWEEN_S = 600, 10
REQUEUED = "Job was killed by user or admin, and will be re-queued with the same jobid.."  # brequeue (records, 06)
LINE = "------------------------------------------------------------"


class Lsf(Scheduler):
    """``bsub < SCRIPT``: starts in the folder of submission with the submitter's environment."""

    name = "lsf"
    title = "LSF"
    standins = ("blaunch", "jsrun", "bsub", "brequeue", "ssh")

    def job_id(self, run: Run) -> str:
        return str(run.number) if run.index is None else f"{run.number}[{run.index}]"

    def _full_name(self, run: Run) -> str:
        directive = run.script.last("-J")
        if directive and directive.value:
            return directive.value
        return ";".join(run.source.read_text(errors="replace").splitlines())  # as recorded: the script itself

    def environment(self, run: Run) -> dict[str, str]:
        if run.arguments:
            raise CannotRehearse(
                "'bsub < SCRIPT' takes no arguments for the script: pass values as variables "
                "(NAME=VALUE bsub < SCRIPT)."
            )
        env = run.outer() | run.extra | self._job_variables(run)
        env["PATH"] = run.with_bin(env.get("PATH", os.defpath))
        return env | mpi_environment(run)

    def _job_variables(self, run: Run) -> dict[str, str]:
        slots = [node.name for node in run.nodes for _ in range(node.slots)]
        ending = "" if run.index is None else f".{run.index}"
        job_file = str(self._job_file(run))
        hosts = self._host_file(run, slots)
        me = user()
        env = {
            "HOSTNAME": run.nodes[0].name,
            "HOSTTYPE": "linux",
            "LOGNAME": me,
            "USER": me,
            "LSFUSER": me,
            "LSB_ACCT_FILE": f"/tmp/.{int(run.state.stat().st_ctime)}.{run.number}{ending}.acct",
            "LSB_CHKFILENAME": job_file,
            "LSB_JOBFILENAME": job_file,
            "LSB_EXIT_PRE_ABORT": "99",
            "LSB_JOBEXIT_STAT": "0",
            "LSB_JOBID": str(run.number),
            "LSB_JOBINDEX": str(run.index or 0),
            "LSB_JOBNAME": self._full_name(run),
            "LSB_HOSTS": " ".join(slots),
            "LSB_MCPU_HOSTS": "".join(f"{node.name} {node.slots} " for node in run.nodes),
            "LSB_DJOB_HOSTFILE": hosts,
            "LSB_DJOB_RANKFILE": hosts,
            "LSB_DJOB_NUMPROC": str(len(slots)),
            "LSB_QUEUE": run.script.request.partition or "normal",
            "LSB_SUB_HOST": SERVER,
            "LSB_TRAPSIGS": "trap # 15 10 12 2 1",
            "LSB_UNIXGROUP": _group(),
            "LS_EXEC_T": "START",
            "LS_SUBCWD": str(run.workdir),
            "LSF_BINDIR": str(run.bin),
        }
        array = run.script.request.array
        if array is not None and run.index is not None:
            env |= {"LSB_JOBINDEX_END": str(array.last), "LSB_JOBINDEX_STEP": str(array.step or 1)}
        for variable, pattern in (
            ("LSB_OUTPUTFILE", run.script.request.output),
            ("LSB_ERRORFILE", run.script.request.error),
        ):
            if pattern:
                env[variable] = self._fill(run, pattern)
        if run.nodes[0].gpus:
            env["CUDA_VISIBLE_DEVICES"] = ",".join(map(str, run.nodes[0].gpus))
        return env

    def _job_file(self, run: Run) -> Path:
        ending = "" if run.index is None else f".{run.index}"
        return run.state / ".lsbatch" / f"{int(run.state.stat().st_ctime)}.{run.number}{ending}"

    def _host_file(self, run: Run, slots: list[str]) -> str:
        path = run.state / ".lsbatch" / f"hostfile.{run.number}"
        path.parent.mkdir(exist_ok=True)
        path.write_text("".join(f"{name}\n" for name in slots))
        return str(path)

    def command(self, run: Run) -> list[str]:
        copy = write_copy(run, self._job_file(run).with_name(self._job_file(run).name + ".shell"))
        if run.source.read_bytes().split(b"\n", 1)[0].endswith(b"\r"):
            # LSF's own script calls the copy, whose shebang names no program (records, 04, crlf).
            self._job_file(run).write_text(f'"{copy}"\n')
            return with_pid("LS_JOBPID", ["/bin/sh", str(self._job_file(run))])
        return with_pid("LS_JOBPID", [*interpreter(run, ["/bin/sh"]), str(copy)])

    def _fill(self, run: Run, pattern: str) -> str:
        """``%J`` and ``%I`` (0 outside arrays); a folder gets JOBID.out in it (records, 01)."""
        name = pattern.replace("%J", str(run.number)).replace("%I", str(run.index or 0))
        return str(Path(name) / f"{run.number}.out") if name.endswith("/") or (run.workdir / name).is_dir() else name

    def logs(self, run: Run) -> tuple[Path, Path]:
        request = run.script.request
        out = run.workdir / self._fill(run, request.output or f"mail-{run.number}")
        return out, run.workdir / self._fill(run, request.error) if request.error else out

    def stop_plan(self, run: Run, limit_s: float | None) -> list[dict[str, Any]]:
        if limit_s is None:
            return []
        scale = run.scale
        plan = [{"at": limit_s, "signal": "USR2", "to": "all", "limit": True}]
        for number, name in enumerate(("INT", "TERM", "KILL")):
            plan.append(
                {"at": limit_s + (TO_INT_S + number * BETWEEN_S) * scale, "signal": name, "to": "all", "limit": True}
            )
        warning = self._warning(run)
        if warning:
            plan.insert(0, {"at": max(0.0, limit_s - warning[1]), "signal": warning[0], "to": "all"})
        return plan

    def _warning(self, run: Run) -> tuple[str, float] | None:
        """``-wa SIGNAL -wt MINUTES``: a signal before the run limit. Both are needed (IBM's bsub reference, -wa)."""
        action, lead = run.script.last("-wa"), run.script.last("-wt")
        if not (action and action.value and lead and lead.value):
            return None
        hours, _, minutes = lead.value.strip("'\"").rpartition(":")
        return action.value.strip("'\"").removeprefix("SIG"), 60.0 * (int(hours or 0) * 60 + int(minutes))

    def requeue_plan(self, run: Run) -> list[dict[str, Any]]:
        return [
            {"at": number * BETWEEN_S * run.scale, "signal": name, "to": "all"}
            for number, name in enumerate(("INT", "TERM", "KILL"))
        ]

    def requeues_itself(self, run: Run, result: dict[str, Any]) -> bool:
        """``-Q "CODE ..."``: a job that exits with one of these codes is queued again (IBM's bsub reference, -Q)."""
        directive = run.script.last("-Q")
        codes = (directive.value or "").strip("'\"").split() if directive else []
        return not result["timed_out"] and str(shell_status(result["returncode"])) in codes

    def outcome(self, run: Run, result: dict[str, Any]) -> Outcome:
        code = result["returncode"]
        if code == -9:
            return Outcome(137, "Exited with signal termination: Killed.", "EXIT")
        status = shell_status(code)
        if status == 0:
            return Outcome(0, "Successfully completed.", "DONE")
        return Outcome(status, f"Exited with exit code {status}.", "EXIT")

    def deliver(self, run: Run, output: Path, error: Path, result: dict[str, Any]) -> tuple[list[Path], list[str]]:
        request = run.script.request
        out, err = self.logs(run)
        paths, notes = [], []
        if request.output is None:
            notes.append("Without -o, LSF mails the output and keeps no file: add #BSUB -o NAME-%J.out")
        elif not out.parent.is_dir():
            notes.append(f"{out.parent} does not exist: LSF runs the job and loses its output")
        else:
            with out.open("w" if request.open_mode == "truncate" else "a") as log:  # -oo overwrites, -o appends
                log.write(self._report(run, output.read_text(errors="replace"), result))
            paths.append(out)
        if err != out and err.parent.is_dir():
            with err.open("ab") as log:
                log.write(error.read_bytes())
            paths.append(err)
        return [path for path in paths if path.is_file()], notes

    def _report(self, run: Run, text: str, result: dict[str, Any]) -> str:
        """The header that LSF writes above the output (tests/records/lsf/01_env.txt, redirect)."""
        outcome = self.outcome(run, result)
        index = "" if run.index is None else f"[{run.index}]"
        name, me = self._full_name(run), user()
        hosts = [f"<{node.slots}*{node.name}>" if node.slots > 1 else f"<{node.name}>" for node in run.nodes]
        ended, queue = time.time(), run.script.request.partition or "normal"
        word = "Done" if outcome.state == "DONE" and not result["requeued"] else "Exited"
        error = run.script.request.error
        end = f"\n\nPS:\n\nRead file <{self._fill(run, error)}> for stderr output of this job.\n\n" if error else "\n"
        head = [
            f"Sender: LSF System <lsf@{run.nodes[0].name}>",
            f"Subject: Job {run.number}{index}: <{name}> {word}",
            "",
            f"Job <{name}> was submitted from host <{SERVER}> by user <{me}>.",
            f"Job was executed on host(s) {hosts[0]}, in queue <{queue}>, as user <{me}>.",
            *(f"{'':28}{host}" for host in hosts[1:]),
            f"<{run.submitter.get('HOME', '')}> was used as the home directory.",
            f"<{run.workdir}> was used as the working directory.",
            f"Started at {time.ctime(ended - result['elapsed_s'])}",
            f"Results reported at {time.ctime(ended)}",
            "",
            "Your job looked like:",
            "",
            LINE,
            "# LSBATCH: User input",
            run.source.read_text(errors="replace"),
            LINE,
            "",
            REQUEUED if result["requeued"] else outcome.text,
            "",
            "Resource usage summary:",
            "",
            f"    Run time :  {result['elapsed_s']:.0f} sec. (a rehearsal measures nothing else)",
            "",
            "The output (if any) follows:",
            "",
        ]
        return "\n".join(head) + f"\n{text}\n{end}"


def _group() -> str:
    try:
        return grp.getgrgid(os.getgid()).gr_name
    except KeyError:
        return str(os.getgid())
