"""Starting processes on invented nodes, for all stand-ins. Standard library only."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

FORWARDED = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2, signal.SIGCONT)


class Job:
    """The rehearsed job that a stand-in belongs to, as ``STATE/job.json`` describes it."""

    def __init__(self, state: Path) -> None:
        self.state = state
        self.facts: dict[str, Any] = json.loads((state / "job.json").read_text())
        self.nodes: list[dict[str, Any]] = self.facts["nodes"]

    @property
    def names(self) -> list[str]:
        """Names of the nodes; the script runs on the first."""
        return [node["name"] for node in self.nodes]

    def slots(self) -> list[int]:
        """Index of the node of each slot, in the order of the scheduler's node file."""
        return [index for index, node in enumerate(self.nodes) for _ in range(node["slots"])]

    def node_index(self, name: str) -> int | None:
        """Position of a node by its name (a domain after it is ignored), None where the job has no such node."""
        short = name.split(".")[0]
        return self.names.index(short) if short in self.names else None

    def on_node(self, index: int, argv: list[str]) -> list[str]:
        """A command line that runs ``argv`` on that node (the first node is where we are)."""
        enter = self.facts["enter"].get(self.names[index])
        return [*enter, *argv] if enter and index else list(argv)

    def next_step(self) -> int:
        """Number of the next job step, counted from 0."""
        steps = self.state / "steps"
        steps.mkdir(exist_ok=True)
        number = 0
        while True:
            try:
                (steps / str(number)).mkdir()
            except FileExistsError:
                number += 1
            else:
                return number

    def say(self, command: str, text: str) -> None:
        """One line on stderr that is recognizably the rehearsal's."""
        print(f"{command} (rehearsal): {text}", file=sys.stderr, flush=True)


@dataclass
class Task:
    """One process of a step.

    Attributes:
        node: index of its node. argv: command. env: whole environment. cwd: folder.
        stdout, stderr: where its output goes; None = where the stand-in's own goes.
        label: text before each line of output (``srun --label``), None = none.
    """

    node: int
    argv: list[str]
    env: dict[str, str]
    cwd: str | None = None
    stdout: IO[bytes] | None = None
    stderr: IO[bytes] | None = None
    label: str | None = None
    process: subprocess.Popen[bytes] | None = field(default=None, repr=False)


def find_program(argv: list[str], env: dict[str, str], cwd: str | None) -> bool:
    """Whether ``argv[0]`` can be started with this environment in this folder."""
    if "/" in argv[0]:
        return os.access(Path(cwd or ".", argv[0]), os.X_OK)
    return shutil.which(argv[0], path=env.get("PATH", os.defpath)) is not None


def exit_status(returncode: int) -> int:
    """A shell's exit status: 128 + signal number for a process that a signal ended."""
    return 128 - returncode if returncode < 0 else returncode


def run_tasks(
    job: Job,
    tasks: list[Task],
    *,
    end_all_on_failure: bool = False,
    on_signal: Callable[[int], None] | None = None,
) -> list[int]:
    """Start all tasks at once, pass signals on to them, wait, and give their exit statuses in order.

    ``on_signal(number)`` is called at HUP, INT and TERM instead of passing them on.
    """
    echoes = [thread for task in tasks for thread in _start(job, task)]
    previous = {number: signal.signal(number, _forward(tasks)) for number in FORWARDED}
    if on_signal is not None:
        for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda number, _frame: on_signal(number))
    waiting = list(tasks)
    try:
        while waiting:
            ended = _wait_for_one(waiting)
            waiting.remove(ended)
            if end_all_on_failure and ended.process.returncode != 0:
                _signal_all(waiting, signal.SIGTERM)
                end_all_on_failure = False
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)
    for thread in echoes:
        thread.join()
    return [exit_status(task.process.returncode) for task in tasks]


def _start(job: Job, task: Task) -> list[threading.Thread]:
    env = {**task.env, "WORKSHOP_REHEARSAL_NODE": job.names[task.node]} if job.facts["enter"] == {} else task.env
    pipe = subprocess.PIPE if task.label is not None else None
    task.process = subprocess.Popen(
        job.on_node(task.node, task.argv),
        env=env,
        cwd=task.cwd,
        stdin=subprocess.DEVNULL,
        stdout=pipe or task.stdout,
        stderr=pipe or task.stderr,
        process_group=0,  # so that a signal reaches the whole task, and only it
    )
    if pipe is None:
        return []
    pairs = ((task.process.stdout, sys.stdout), (task.process.stderr, sys.stderr))
    threads = [threading.Thread(target=_echo, args=(task.label, source, sink)) for source, sink in pairs]
    for thread in threads:
        thread.start()
    return threads


def _echo(label: str, source: IO[bytes], sink: Any) -> None:
    for line in source:
        sink.buffer.write(label.encode() + line)
        sink.buffer.flush()


def _forward(tasks: list[Task]) -> Any:
    def handler(number: int, _frame: Any) -> None:
        _signal_all(tasks, number)

    return handler


def _signal_all(tasks: list[Task], number: int) -> None:
    for task in tasks:
        if task.process is not None and task.process.poll() is None:
            os.killpg(task.process.pid, number)


def _wait_for_one(waiting: list[Task]) -> Task:
    """The first task that ends. Looks at each in turn: waiting for any child would steal other modules' children."""
    pause = threading.Event()
    while True:
        for task in waiting:
            if task.process.poll() is not None:
                return task
        pause.wait(0.02)
