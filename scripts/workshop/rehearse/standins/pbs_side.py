"""``pbsdsh`` and ``pbs_tmrsh``: PBS's own ways to start a task on a node of the job (tests/records/pbs/06, 09)."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import IO

from tasks import Job, Task, find_program, run_tasks


def play(job: Job, command: str, arguments: list[str]) -> int:
    return {"pbsdsh": pbsdsh, "pbs_tmrsh": pbs_tmrsh}[command](job, arguments)


def pbsdsh(job: Job, arguments: list[str]) -> int:
    """One task for each line of the node file, or for one of them; ends with 0 whatever its tasks do.

    Source: OpenPBS, src/cmds/pbsdsh.c
    """
    parser = argparse.ArgumentParser(prog="pbsdsh")
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


def _spawn(job: Job, slots: list[int], program: list[str]) -> list[int]:
    env = job.facts["task_environment"]
    home = env["HOME"]
    if not find_program(program, env, home):
        print(f"{program[0]}: No such file or directory", file=sys.stderr)
        return [254] * len(slots)
    # The daemon on each node writes into the job's output files: nothing comes back through pbsdsh's own output.
    with _append(job, "stdout") as out, _append(job, "stderr") as err:
        counts: dict[int, int] = {}
        tasks = []
        for slot in slots:
            counts[slot] = counts.get(slot, 0) + 1
            tasks.append(
                Task(slot, program, _task_environment(job, slot, counts[slot]), cwd=home, stdout=out, stderr=err)
            )
        return run_tasks(job, tasks)


def _append(job: Job, stream: str) -> IO[bytes]:
    return Path(job.facts[stream]).open("ab", buffering=0)


def _task_environment(job: Job, node: int, number: int) -> dict[str, str]:
    env = dict(job.facts["task_environment"])
    env["PBS_NODENUM"] = str(node)
    env["PBS_TASKNUM"] = f"{node * 0x20000000 + number + 1:08X}"
    if node == 0:
        env.pop("PBS_NODEFILE", None)  # as recorded: unset on the first node, set on the others
    return env
