"""Slurm as a batch script sees it (release 22.05, compared with a real one in tests/rehearse/test_against_slurm.py)."""

from __future__ import annotations

import os
import re
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
from workshop.rehearse.standins.hostlist import compress, runs

KILL_WAIT_S = 30  # slurm.conf(5), KillWait
# Options with which sbatch knows how many tasks a job has; without them it sets no SLURM_NTASKS.
SAYS_TASKS = ("--ntasks", "--ntasks-per-node", "--ntasks-per-gpu", "--ntasks-per-socket")


class Slurm(Scheduler):
    """sbatch(1): starts in the folder of submission with the submitter's environment."""

    name = "slurm"
    title = "Slurm"
    standins = ("srun", "scontrol", "sbatch", "ssh")

    def job_id(self, run: Run) -> str:
        return str(run.task_number or run.number)

    def environment(self, run: Run) -> dict[str, str]:
        env = self._exported(run) | run.extra | self._job_variables(run) | self._array_variables(run)
        env["PATH"] = run.with_bin(env.get("PATH", os.defpath))
        return env | mpi_environment(run)

    def _exported(self, run: Run) -> dict[str, str]:
        export = run.script.request.export or "ALL"
        outer = run.outer()
        items = export.split(",")
        keep = (
            dict(outer)
            if "ALL" in items
            else {k: outer[k] for k in ("HOME", "USER", "LOGNAME", "SHELL", "PATH") if k in outer}
        )
        for item in items:
            name, equals, value = item.partition("=")
            if equals:
                keep[name] = value
            elif name in outer:
                keep[name] = outer[name]
        return keep

    def _job_variables(self, run: Run) -> dict[str, str]:
        request, first = run.script.request, run.nodes[0]
        names = compress([node.name for node in run.nodes])
        slots = runs([node.slots for node in run.nodes])
        tasks = str(request.tasks or sum(node.slots for node in run.nodes))  # their sum may be more
        job_id = self.job_id(run)
        env = {
            "ENVIRONMENT": "BATCH",
            "TMPDIR": run.submitter.get("TMPDIR", "/tmp"),
            "HOSTNAME": first.name,
            "SLURMD_NODENAME": first.name,
            "SLURM_CLUSTER_NAME": "rehearsal",
            "SLURM_JOB_ID": job_id,
            "SLURM_JOBID": job_id,
            "SLURM_JOB_NAME": run.name,
            "SLURM_JOB_NODELIST": names,
            "SLURM_NODELIST": names,
            "SLURM_JOB_NUM_NODES": str(len(run.nodes)),
            "SLURM_NNODES": str(len(run.nodes)),
            "SLURM_JOB_CPUS_PER_NODE": runs([node.cpus for node in run.nodes]),
            "SLURM_CPUS_ON_NODE": str(first.cpus),
            "SLURM_TASKS_PER_NODE": slots,
            "SLURM_NODE_ALIASES": "(null)",
            "SLURM_JOB_PARTITION": request.partition or "cpu",
            "SLURM_JOB_USER": user(),
            "SLURM_JOB_UID": str(os.getuid()),
            "SLURM_JOB_GID": str(os.getgid()),
            "SLURM_SUBMIT_DIR": str(run.workdir),
            "SLURM_SUBMIT_HOST": SERVER,
            "SLURM_GTIDS": "0",
            "SLURM_LOCALID": "0",
            "SLURM_NODEID": "0",
            "SLURM_PROCID": "0",
            "SLURM_PRIO_PROCESS": "0",
            "SLURM_TOPOLOGY_ADDR": first.name,
            "SLURM_TOPOLOGY_ADDR_PATTERN": "node",
            "SLURM_WORKING_CLUSTER": f"rehearsal:{SERVER}:0:9728:109",
        }
        if any(run.script.last(option) for option in SAYS_TASKS):
            env |= {"SLURM_NTASKS": tasks, "SLURM_NPROCS": tasks}
        if request.tasks_per_node and run.script.last("--ntasks-per-node"):
            env["SLURM_NTASKS_PER_NODE"] = str(request.tasks_per_node)
        if request.cpus_per_task and run.script.last("--cpus-per-task"):
            env["SLURM_CPUS_PER_TASK"] = str(request.cpus_per_task)
        if request.qos:
            env["SLURM_JOB_QOS"] = request.qos
        if request.account:
            env["SLURM_JOB_ACCOUNT"] = request.account
        if request.mem and request.mem.scope == "per_node" and request.mem.value is not None:
            env["SLURM_MEM_PER_NODE"] = str(request.mem.value // 2**20)
        if request.mem and request.mem.scope == "per_cpu" and request.mem.value is not None:
            env["SLURM_MEM_PER_CPU"] = str(request.mem.value // 2**20)
        if run.restarts:
            env["SLURM_RESTART_COUNT"] = str(run.restarts)
        return env | self._gpu_variables(run)

    def _gpu_variables(self, run: Run) -> dict[str, str]:
        gpus = run.nodes[0].gpus
        if not gpus:
            return {}
        listed = ",".join(map(str, gpus))
        env = {
            "CUDA_VISIBLE_DEVICES": listed,
            "GPU_DEVICE_ORDINAL": listed,
            "ROCR_VISIBLE_DEVICES": listed,
            "SLURM_JOB_GPUS": listed,
            "SLURM_GPUS_ON_NODE": str(len(gpus)),
        }
        for option in ("--gpus", "--gpus-per-node", "--gpus-per-task"):
            directive = run.script.last(option)
            if directive and directive.value:
                env["SLURM_" + option.strip("-").replace("-", "_").upper()] = directive.value
        return env

    def _array_variables(self, run: Run) -> dict[str, str]:
        array = run.script.request.array
        if array is None or run.index is None:
            return {}
        return {
            "SLURM_ARRAY_JOB_ID": str(run.number),
            "SLURM_ARRAY_TASK_ID": str(run.index),
            "SLURM_ARRAY_TASK_COUNT": str(array.count),
            "SLURM_ARRAY_TASK_MIN": str(array.first),
            "SLURM_ARRAY_TASK_MAX": str(array.last),
            "SLURM_ARRAY_TASK_STEP": str(array.step or 1),
        }

    def command(self, run: Run) -> list[str]:
        if run.script.shebang is None:
            raise CannotRehearse(
                f"{run.source}: the first line is no shebang. sbatch refuses such a file "
                '("This does not look like a batch script"): make "#!/bin/bash" the first line.'
            )
        if b"\r\n" in run.source.read_bytes():
            raise CannotRehearse(
                "sbatch: Batch script contains DOS line breaks: a file from Windows, mend it: sed -i 's/\\r$//' FILE"
            )
        copy = write_copy(run, run.state / "spool" / f"job{run.number:05d}" / "slurm_script")
        return with_pid("SLURM_TASK_PID", [*interpreter(run, ["/bin/bash"]), str(copy), *run.arguments])

    def cannot_start(self, run: Run) -> str | None:
        for path in self.logs(run):
            if not path.parent.is_dir():
                return (
                    f"{path.parent} does not exist: Slurm cannot open the log there, so the job fails and nothing runs"
                )
        return None

    def logs(self, run: Run) -> tuple[Path, Path]:
        request = run.script.request
        output = request.output or ("slurm-%A_%a.out" if run.index is not None else "slurm-%j.out")
        out = run.workdir / self._fill(run, output)
        return out, run.workdir / self._fill(run, request.error) if request.error else out

    def _fill(self, run: Run, pattern: str) -> str:
        """sbatch(1), "filename pattern"."""
        job_id, index = self.job_id(run), "4294967294" if run.index is None else str(run.index)
        values = {
            "%": "%",
            "j": job_id,
            "J": job_id,
            "A": str(run.number),
            "a": index,
            "x": run.name,
            "u": user(),
            "N": run.nodes[0].name,
            "n": "0",
            "t": "0",
            "s": "batch",
            "b": str(run.index % 10) if run.index is not None else "4",
        }

        def fill(match: re.Match[str]) -> str:
            value = values[match[2]]
            return value.zfill(int(match[1])) if match[1] and value.isdigit() else value

        return re.sub(r"%(\d*)([%jJAaxuNntsb])", fill, pattern)

    def appends(self, run: Run) -> bool:
        mode = run.script.request.open_mode
        return mode == "append"

    def stop_plan(self, run: Run, limit_s: float | None) -> list[dict[str, Any]]:
        if limit_s is None:
            return []
        now = time.strftime("%Y-%m-%dT%H:%M:%S", time.localtime(time.time() + limit_s))
        node, job_id = run.nodes[0].name, self.job_id(run)
        text = f"slurmstepd: error: *** JOB {job_id} ON {node} CANCELLED AT {now} DUE TO TIME LIMIT ***"
        plan = [
            {"at": limit_s, "signal": "TERM", "to": "all", "limit": True, "say": text},
            {"at": limit_s + KILL_WAIT_S * run.scale, "signal": "KILL", "to": "all", "limit": True},
        ]
        warning = run.script.request.signal
        if warning:
            before = warning.before_s if warning.before_s is not None else 60
            plan.insert(0, {"at": max(0.0, limit_s - before), "signal": warning.name, "to": warning.target})
        return plan

    def requeue_plan(self, run: Run) -> list[dict[str, Any]]:
        return [
            {"at": 0, "signal": "TERM", "to": "all"},
            {"at": KILL_WAIT_S * run.scale, "signal": "KILL", "to": "all"},
        ]

    def outcome(self, run: Run, result: dict[str, Any]) -> Outcome:
        code = result["returncode"]
        text = f"0:{-code}" if code < 0 else f"{code}:0"
        if result["cancelled"]:
            return Outcome(shell_status(code), text, "CANCELLED")
        if result["timed_out"]:
            return Outcome(shell_status(code), text, "TIMEOUT")
        return Outcome(shell_status(code), text, "COMPLETED" if code == 0 else "FAILED")

    def deliver(self, run: Run, output: Path, error: Path, result: dict[str, Any]) -> tuple[list[Path], list[str]]:
        out, err = self.logs(run)
        paths = [out] if out == err else [out, err]
        for spool, path in zip((output, error), paths, strict=False):
            with path.open("ab" if self.appends(run) else "wb") as log:
                log.write(spool.read_bytes())
        return [path for path in paths if path.is_file()], []
