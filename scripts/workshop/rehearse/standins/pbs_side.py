"""``pbsdsh`` and ``pbs_tmrsh``: PBS's own ways to start a task on a node of the job (tests/records/pbs/06, 09)."""

from __future__ import annotations

import argparse
import fcntl
import os
import sys
import tempfile
import threading
from pathlib import Path
from typing import IO, NoReturn

from tasks import Job, Task, find_program, run_tasks


def play(job: Job, command: str, arguments: list[str]) -> int:
    return {"pbsdsh": pbsdsh, "pbs_tmrsh": pbs_tmrsh}[command](job, arguments)


def pbsdsh(job: Job, arguments: list[str]) -> int:
    """One task for each line of the node file, or for one of them; ends with 0 whatever its tasks do.

    A signal ends it with 1 before its tasks end, and what they print from then on is lost.
    Source: OpenPBS, src/cmds/pbsdsh.c; the loss was seen with 23.06.06.
    """
    parser = _Parser(prog="pbsdsh")
    parser.add_argument("-c", type=int, dest="copies")
    parser.add_argument("-n", type=int, dest="index")
    parser.add_argument("-s", action="store_true", dest="one_by_one")
    parser.add_argument("-v", action="store_true", dest="verbose")
    parser.add_argument("-o", action="store_true", dest="no_wait")
    parser.add_argument("program", nargs=argparse.REMAINDER)
    options = parser.parse_args(arguments)
    program = options.program[1:] if options.program[:1] == ["--"] else options.program
    if not program or (options.copies is not None and options.index is not None):
        parser.print_usage(sys.stderr)
        return 1
    slots = job.slots()
    if options.index is not None:
        slots = [slots[options.index % len(slots)]]
    elif options.copies is not None:
        slots = [slots[number % len(slots)] for number in range(options.copies)]
    if options.no_wait:
        job.say("pbsdsh", "-o (do not wait) is rehearsed as if it waited")
    batches = [[slot] for slot in slots] if options.one_by_one else [slots]
    number = 0
    for batch in batches:
        for status in _spawn(job, batch, program):
            if status or options.verbose:
                print(f"pbsdsh: task 0x{number:08X} exit status {status}", flush=True)
            number += 1
    return 0


def pbs_tmrsh(job: Job, arguments: list[str]) -> int:
    """``pbs_tmrsh HOST COMMAND``: ends as the command ended (OpenPBS, src/cmds/pbs_tmrsh.c)."""
    words = list(arguments)
    while words and words[0].startswith("-"):
        words = words[2:] if words[0] == "-l" else words[1:]
    if len(words) < 2:
        print("usage: pbs_tmrsh [-n][-l username] host [-n][-l username] command", file=sys.stderr)
        return 255
    index = job.node_index(words[0])
    if index is None:
        print(f'pbs_tmrsh: host "{words[0]}" is not a node in job <{job.facts["job_id"]}>', file=sys.stderr)
        return 255
    return _spawn(job, [index], words[1:])[0]


class _Parser(argparse.ArgumentParser):
    """Ends with 1 after a wrong option, as pbsdsh does."""

    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        self.exit(1, f"{self.prog}: {message}\n")


def _spawn(job: Job, slots: list[int], program: list[str]) -> list[int]:
    env = job.facts["task_environment"]
    home = env["HOME"]
    if not find_program(program, env, home):
        print(f"{program[0]}: No such file or directory", file=sys.stderr)
        return [254] * len(slots)
    # The daemon on each node writes into the job's output files: nothing comes back through pbsdsh's own output.
    with _Carrier(job, "stdout") as out, _Carrier(job, "stderr") as err:
        counts: dict[int, int] = {}
        tasks = []
        for slot in slots:
            counts[slot] = counts.get(slot, 0) + 1
            env = _task_environment(job, slot, counts[slot])
            tasks.append(Task(slot, program, env, cwd=home, stdout=out.file, stderr=err.file))
        return run_tasks(job, tasks, on_signal=lambda number: _killed(tasks, number))


def _killed(tasks: list[Task], number: int) -> None:
    """What pbsdsh says and does when it is told to end; its tasks get their signal with the whole job."""
    for task in tasks:
        if task.process is not None and task.process.poll() is None:
            os.write(1, f"pbsdsh: killing task 0x{task.env['PBS_TASKNUM']} signal {number}\n".encode())
    os._exit(1)


class _Carrier:
    """Brings what tasks print into the job's output file, as long as the stand-in lives."""

    def __init__(self, job: Job, stream: str) -> None:
        self._into = Path(job.facts[stream]).open("ab", buffering=0)  # noqa: SIM115 (closed in __exit__)
        self.file: IO[bytes] = tempfile.TemporaryFile(dir=job.state, mode="w+b", buffering=0)  # noqa: SIM115
        os.set_blocking(self.file.fileno(), True)
        self._read = os.open(f"/proc/self/fd/{self.file.fileno()}", os.O_RDONLY)
        fcntl.fcntl(self.file, fcntl.F_SETFL, os.O_APPEND)  # several tasks write: each line behind the last
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._carry, daemon=True)

    def __enter__(self) -> _Carrier:
        self._thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._ended.set()
        self._thread.join()
        os.close(self._read)
        self.file.close()
        self._into.close()

    def _carry(self) -> None:
        while True:
            last = self._ended.wait(0.02)
            while text := os.read(self._read, 1 << 16):
                self._into.write(text)
            if last:
                return


def _task_environment(job: Job, node: int, number: int) -> dict[str, str]:
    env = dict(job.facts["task_environment"])
    env["PBS_NODENUM"] = str(node)
    env["PBS_TASKNUM"] = f"{node * 0x20000000 + number + 1:08X}"
    if node == 0:
        env.pop("PBS_NODEFILE", None)  # as recorded: unset on the first node, set on the others
    return env
