"""Programs of scripts/train in forks of one process that has imported PyTorch: a start takes moments, not seconds.

What runs is the program's file, as ``__main__``, in processes of its own: with an environment, a folder and files for
its two streams, and they can be signalled and killed. ``ranks=2`` gives two of them what torchrun would give them
(``test_launch_live.py`` compares), and ``run`` ends the other one when one fails, as torchrun does.

Only the import of PyTorch and of the modules beside the programs is shared. What is read before Python starts, such as
PYTHONPATH, or when PyTorch is imported, such as OMP_NUM_THREADS, cannot be set for a fork. Where that, or a launcher
itself, is what is tested, start it for real: ``train_running.py``.
"""

import atexit
import contextlib
import multiprocessing.util
import os
import runpy
import signal
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from multiprocessing import connection, forkserver
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import NoReturn

import pytest
import torch.distributed as dist

import train_stacks
from train_running import TRAIN, Done, clean_environment

HERE = Path(__file__).parent
_PARENT = multiprocessing.get_context("forkserver")
_PARENT.set_forkserver_preload(["train_imports", __name__, "train_hold"])
_started: "list[Ranks]" = []


def be_ready() -> None:
    """Start the parent of all forks, once a test process. It finds no launcher, and has one thread: so it can fork."""
    if forkserver._forkserver._forkserver_pid is not None:
        return
    own, paths = dict(os.environ), [str(TRAIN), str(HERE), os.environ.get("PYTHONPATH", "")]
    try:
        os.environ.clear()
        os.environ.update(clean_environment(PYTHONPATH=os.pathsep.join(filter(None, paths))))
        forkserver.ensure_running()
    finally:
        os.environ.clear()
        os.environ.update(own)
    first = _PARENT.Process(target=os.getpid)
    first.start()  # comes back when the parent has imported all: so no time limit of a test has that in it
    first.join()


def _become(program: str, options: list[str], env: dict[str, str], cwd: str, streams: list[str], before) -> None:
    """In the fork: be ``python program options`` until its end."""
    atexit._clear()  # what was imported before the fork wants to tidy up when the parent ends, not now
    multiprocessing.set_start_method(None, force=True)  # workers start as Python starts them by default
    os.environ.clear()
    os.environ.update(env)
    os.chdir(cwd)
    for number, path in enumerate(streams, start=1):
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        os.dup2(file, number)
        os.close(file)
    # As PYTHONUNBUFFERED=1: a line is in the file when it is printed, also if the process is killed then.
    sys.stdout, sys.stderr = (os.fdopen(number, "w", buffering=1, closefd=False) for number in (1, 2))
    sys.argv = [program, *options]
    sys.path.insert(0, os.path.dirname(program))
    status = 0
    try:
        if before:
            before()
        runpy.run_path(program, run_name="__main__")
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 1 if end.code else 0
        if not isinstance(end.code, int) and end.code:
            print(end.code, file=sys.stderr)
    except BaseException:
        sys.excepthook(*sys.exc_info())  # what the interpreter does: launch.py has put its report there
        status = 1
    threading._shutdown()
    atexit._run_exitfuncs()
    multiprocessing.util._exit_function()  # it ends what the program has started; registered before the fork
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


def stop_parent() -> None:
    """End the parent of all forks and wait for it, so that nothing is left behind."""
    server = forkserver._forkserver
    if server._forkserver_pid is not None:
        os.kill(server._forkserver_pid, signal.SIGTERM)  # asked kindly, it would take PyTorch apart for a second
        server._stop()


def end_all() -> None:
    """Kill what a failed test left running."""
    while _started:
        _started.pop().end()


class Ranks:
    """A program that runs, in one process or several."""

    def __init__(self, processes: list[ForkServerProcess], streams: list[Path], meeting_point: object):
        self.processes, self.streams = processes, streams
        self._meeting_point = meeting_point  # open as long as this object lives
        _started.append(self)

    @property
    def pids(self) -> list[int]:
        return [process.pid for process in self.processes]

    @property
    def statuses(self) -> list[int | None]:
        """Exit statuses so far: None while a rank runs, -9 if it was killed by SIGKILL."""
        return [process.exitcode for process in self.processes]

    def signal(self, rank: int, number: int) -> None:
        """Send a signal to one rank; nothing happens if it has ended."""
        if self.processes[rank].exitcode is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pids[rank], number)

    def kill(self, *ranks: int) -> None:
        """SIGKILL to these ranks. All stand still first: one that lost the other before its own signal would fail."""
        for number in (signal.SIGSTOP, signal.SIGKILL):
            for rank in ranks:
                self.signal(rank, number)

    def wait(self, limit_s: float) -> list[int]:
        """Exit statuses of all ranks; the test fails if one is still there after ``limit_s``."""
        deadline = time.monotonic() + limit_s
        for process in self.processes:
            process.join(max(0.0, deadline - time.monotonic()))
        if None in self.statuses:
            self.fail(f"a rank did not end within {limit_s} s")
        return self.statuses

    def wait_like_torchrun(self, limit_s: float) -> int:
        """0 if all ranks end well; else the status of the first that did not, when the others have been ended."""
        deadline = time.monotonic() + limit_s
        while (running := [p for p in self.processes if p.exitcode is None]) and not any(self.statuses):
            connection.wait([p.sentinel for p in running], max(0.0, deadline - time.monotonic()))
            if time.monotonic() > deadline:
                self.fail(f"no end within {limit_s} s")
        first = next((status for status in self.statuses if status), 0)
        self.end()
        return first

    def wait_for(self, happened: Callable[[], object], limit_s: float = 60) -> None:
        """Wait until ``happened()``; the test fails if a rank ends before, or after ``limit_s``."""
        deadline = time.monotonic() + limit_s
        while not happened():
            if time.monotonic() > deadline or any(status is not None for status in self.statuses):
                self.fail(f"it did not happen within {limit_s} s")
            time.sleep(0.01)

    def said(self) -> str:
        """All that was printed so far."""
        return "".join(path.read_text() for path in self.streams)

    def fail(self, why: str) -> NoReturn:
        """End it and fail the test, with all that it said and what its processes were doing."""
        statuses, said = self.statuses, self.said()
        left = [process.pid for process in self.processes if process.exitcode is None]
        doing = train_stacks.end_with_stacks(left, self.streams[-1])
        self.end()
        pytest.fail(f"{why}: {statuses}\n{said}\n{doing}")

    def end(self) -> None:
        """Kill who is still there."""
        for process in self.processes:
            if process.exitcode is None:
                process.kill()
                process.join()


def start(
    program: str | Path,
    *options: object,
    streams: list[Path],
    cwd: Path,
    ranks: int = 0,
    by_hand: bool = False,
    env: Mapping[str, str] | None = None,
    before: Callable[[], None] | None = None,
) -> Ranks:
    """Start a program: ``ddp.py`` of scripts/train, or any path.

    Args:
        streams: files that stdout and stderr are appended to; one file for both, if there is only one.
        ranks: so many processes, as under torchrun; 0: one, started by nobody.
        by_hand: with the few variables that a job script would export, so that rank 0 keeps the meeting point, as it
            does under mpirun and srun; under torchrun an agent keeps it, here the process of the test.
        env: all of the environment; by default the tests', without any launcher's variables.
        before: called in each process before the program; a function of a module, since it is sent there.
    """
    be_ready()
    path, base = TRAIN / program, dict(env or clean_environment())
    meeting_point, shared = _meeting_point(ranks, by_hand) if ranks else (None, {})
    for file in streams:
        file.touch()
    processes = []
    for rank in range(ranks or 1):
        mine = base | shared | (_place(rank, by_hand) if ranks else {})
        both = [str(file) for file in (streams[0], streams[-1])]
        words = (str(path), [*map(str, options)], mine, str(cwd), both, before)
        processes.append(_PARENT.Process(target=_become, args=words))
        processes[-1].start()
    return Ranks(processes, streams, meeting_point)


def _meeting_point(ranks: int, by_hand: bool) -> tuple[object, dict[str, str]]:
    """What keeps the port of the ranks, and the variables that are the same for all of them."""
    common = {"WORLD_SIZE": str(ranks), "LOCAL_WORLD_SIZE": str(ranks), "MASTER_ADDR": "127.0.0.1"}
    if by_hand:
        keeper = keep_port()
        return keeper, common | {"MASTER_PORT": port_of(keeper)}
    store = dist.TCPStore("127.0.0.1", 0, is_master=True, wait_for_workers=False)
    return store, common | {
        "MASTER_PORT": str(store.port), "GROUP_RANK": "0", "GROUP_WORLD_SIZE": "1", "ROLE_NAME": "default",
        "ROLE_WORLD_SIZE": str(ranks), "TORCHELASTIC_USE_AGENT_STORE": "True", "TORCHELASTIC_RESTART_COUNT": "0",
        "TORCHELASTIC_MAX_RESTARTS": "0", "TORCHELASTIC_RUN_ID": "forks",
    }  # fmt: skip


def _place(rank: int, by_hand: bool) -> dict[str, str]:
    """The variables that are a rank's own."""
    return {"RANK": str(rank), "LOCAL_RANK": str(rank)} | ({} if by_hand else {"ROLE_RANK": str(rank)})


def run(program: str | Path, *options: object, cwd: Path, timeout: float = 200, **how) -> Done:
    """Run a program to its end (see ``start``): its status, and what it wrote to each of its streams."""
    with tempfile.TemporaryDirectory() as folder:
        streams = [Path(folder) / "out", Path(folder) / "err"]
        ranks = start(program, *options, streams=streams, cwd=cwd, **how)
        status = ranks.wait_like_torchrun(timeout)
        return Done(status, *(path.read_text() for path in streams))


def say_cpu_seconds() -> None:
    """For ``start(before=…)``: the last line on stderr says how long this process computed, whatever else ran."""
    atexit.register(lambda: print(f"CPU seconds: {time.process_time():.2f}", file=sys.stderr))


def keep_port() -> socket.socket:
    """A port of this machine that nobody else gets until the socket is closed, and on which a program can listen.

    It is bound and not listened on: others are not given it, and who sets SO_REUSEADDR, as PyTorch's store does, may
    listen there all the same.
    """
    keeper = socket.socket()
    keeper.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    keeper.bind(("127.0.0.1", 0))
    return keeper


def port_of(keeper: socket.socket) -> str:
    """The port that ``keep_port`` keeps, as MASTER_PORT wants it."""
    return str(keeper.getsockname()[1])
