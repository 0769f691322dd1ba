"""Runs one job: starts the script, sends the scheduler's signals at its walltime, leaves nothing behind.

Called as ``python shepherd.py STATE``; reads ``STATE/run.json``, writes ``STATE/result.json``. A process of its own
because it adopts the orphans of the job (``PR_SET_CHILD_SUBREAPER``, prctl(2)): workers that start their own session
are found too.
"""

from __future__ import annotations

import ctypes
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import psutil

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36  # linux/prctl.h
STANDIN = str(Path(__file__).parent / "standins" / "main.py")
LEFTOVER_GRACE_S = 2.0


class Shepherd:
    """One run of one job script.

    Args:
        state: folder of the job. run: argv, env, cwd, umask, stdout, stderr, plan, requeue_plan, and walltime_from:
            the file with which the walltime begins (None: it begins with the job).
    """

    def __init__(self, state: Path, run: dict[str, Any]) -> None:
        self.state, self.run = state, run
        self.plan: list[dict[str, Any]] = sorted(run["plan"], key=lambda step: step["at"])
        self.timed_out = self.requeued = self.cancelled = False
        self.ending = False  # a plan step that ends the job was taken: what still runs may finish until the last step
        self.started = time.monotonic()
        self.clock: float | None = None  # when the walltime began: times of the plan count from it

    def watch(self) -> dict[str, Any]:
        """Run to the end and say how it went."""
        signal.signal(signal.SIGTERM, self._cancel)
        signal.signal(signal.SIGINT, self._cancel)
        self.child = self._start()
        while self.child.poll() is None or (self.ending and self._family()):
            self._take_due_steps()
            self._look_for_requeue()
            time.sleep(0.02)
        self._look_for_requeue()  # asked for with the script's last command
        self._end_leftovers()
        return {
            "pid": self.child.pid,
            "returncode": self.child.returncode,
            "timed_out": self.timed_out,
            "requeued": self.requeued,
            "cancelled": self.cancelled,
            "elapsed_s": round(time.monotonic() - self.started, 3),
        }

    def _start(self) -> subprocess.Popen[bytes]:
        out = open(self.run["stdout"], "ab")  # noqa: SIM115 (the child keeps it)
        err = subprocess.STDOUT if self.run["stderr"] == self.run["stdout"] else open(self.run["stderr"], "ab")  # noqa: SIM115
        os.umask(self.run["umask"])
        self.started = time.monotonic()
        self.clock = None if self.run["walltime_from"] else self.started
        return subprocess.Popen(
            self.run["argv"],
            env=self.run["env"],
            cwd=self.run["cwd"],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            start_new_session=True,
        )

    def _cancel(self, _number: int, _frame: Any) -> None:
        if not self.cancelled:
            now = self._start_clock()
            self.cancelled = self.ending = True
            self.plan = [
                {"at": now, "signal": "TERM", "to": "all"},
                {"at": now + LEFTOVER_GRACE_S, "signal": "KILL", "to": "all"},
            ]

    def _look_for_requeue(self) -> None:
        if self.requeued or not (self.state / "requeue").exists():
            return
        now = self._start_clock()
        self.requeued = self.ending = True
        self.plan = [{**step, "at": now + step["at"]} for step in self.run["requeue_plan"]]

    def _start_clock(self) -> float:
        """Seconds of the walltime that are over; one that still waits for its sign begins now."""
        now = time.monotonic()
        self.clock = now if self.clock is None else self.clock
        return now - self.clock

    def _take_due_steps(self) -> None:
        if self.clock is None and not os.path.exists(self.run["walltime_from"]):
            return
        while self.plan and self._start_clock() >= self.plan[0]["at"]:
            step = self.plan.pop(0)
            if step.get("limit"):
                self.timed_out = True
            self.ending = self.ending or bool(step.get("limit"))
            if step.get("say"):
                with open(self.run["stderr"], "a") as log:
                    log.write(step["say"] + "\n")
            self._send(getattr(signal, "SIG" + step["signal"]), step["to"])

    def _family(self) -> list[psutil.Process]:
        """All living processes of the job, orphans too, without the stand-ins (they would pass signals on twice)."""
        found = psutil.Process().children(recursive=True)
        return [process for process in found if _alive(process) and not _is_standin(process)]

    def _told_themselves(self) -> list[psutil.Process]:
        """Stand-ins for programs that a signal to all processes of the job ends, and not only their tasks."""
        found = psutil.Process().children(recursive=True)
        return [process for process in found if _alive(process) and _is_standin(process, "pbsdsh")]

    def _send(self, number: int, target: str) -> None:
        family = self._family()
        if target == "batch_shell":
            family = [process for process in family if process.pid == self.child.pid]
        elif target == "all":
            family = self._told_themselves() + family
        elif target == "steps":
            family = [process for process in family if any(_is_standin(parent) for parent in _parents(process))]
        if number == signal.SIGKILL:
            family = [process for process in psutil.Process().children(recursive=True) if _alive(process)]
        for process in family:
            _signal(process, number)

    def _end_leftovers(self) -> None:
        for number in (signal.SIGTERM, signal.SIGKILL):
            left = [process for process in psutil.Process().children(recursive=True) if _alive(process)]
            for process in left:
                _signal(process, number)
            psutil.wait_procs(left, timeout=LEFTOVER_GRACE_S)


def _alive(process: psutil.Process) -> bool:
    try:
        return process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def _is_standin(process: psutil.Process, name: str | None = None) -> bool:
    """Whether a process is a stand-in, and if ``name`` is given, the one for that program."""
    try:
        words = process.cmdline()
    except psutil.Error:
        return False
    return STANDIN in words and (name is None or words[words.index(STANDIN) + 2] == name)


def _parents(process: psutil.Process) -> list[psutil.Process]:
    try:
        return process.parents()
    except psutil.NoSuchProcess:
        return []


def _signal(process: psutil.Process, number: int) -> None:
    try:
        process.send_signal(number)
    except psutil.NoSuchProcess:
        return


def _adopt_orphans() -> None:
    """Linux only: elsewhere a process that leaves its parent escapes, and the caller says so."""
    if sys.platform == "linux":
        libc = ctypes.CDLL(None, use_errno=True)
        libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)


def main(state: Path) -> None:
    _adopt_orphans()
    result = Shepherd(state, json.loads((state / "run.json").read_text())).watch()
    (state / "result.json").write_text(json.dumps(result))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
