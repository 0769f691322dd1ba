"""Stopped and killed in every way, with and without workers: the end is bit for bit that of an undisturbed run.

Dropout is on, and an augmentation that draws random numbers. The undisturbed run has no workers: neither do they
change anything. What torchrun does to its ranks is done here by hand; that it does so: test_launch_live.py.
"""

import contextlib
import os
import signal
import time
from pathlib import Path

import psutil
import pytest
import torch

import restart
import train_hold

STEPS, STEPS_AN_EPOCH = 10, 5
OPTIONS = (  # 80 images in batches of 18: the last batch of an epoch is not full, as in most trainings
    *("--samples", 100, "--batch-size", 18, "--epochs", STEPS // STEPS_AN_EPOCH, "--dropout", 0.3, "--augment"),
    *("--checkpoint-every", 1, "--check-every", 1, "--timeout", 120),
)
LIMIT_S = 180  # each wait is for an event; this ends one that never comes
PROGRAMS, TRIES = ["ddp_resume", "ddp_fast"], 20
IN_MAKE_TEST = 2  # tries of each kind there; the others take minutes
CASES = [
    pytest.param(workers, attempt, marks=[pytest.mark.extensive, pytest.mark.slow] if attempt >= IN_MAKE_TEST else [])
    for workers in (0, 2, 4)
    for attempt in range(TRIES)
]


def sessions(run) -> list[psutil.Process]:
    """The processes of all ranks that are there: the ranks and their workers."""
    found = []
    for pid in psutil.pids():
        with contextlib.suppress(ProcessLookupError, psutil.NoSuchProcess):
            if os.getsid(pid) in run.pids and (process := psutil.Process(pid)).status() != psutil.STATUS_ZOMBIE:
                found.append(process)
    return found


def signal_groups(run, number: int) -> None:
    """What torchrun does when it is told to stop: it hands the signal on to the group of each rank."""
    for pid in run.pids:
        os.killpg(pid, number)


def signal_all(run, number: int) -> None:
    """What a scheduler does: each process gets the signal, and torchrun, being one of them, hands it on as well."""
    signal_processes(run, number)
    signal_groups(run, number)


def kill_all(run) -> None:
    """What the end of a node does. All stand still first: a rank that lost the other one would fail by itself."""
    for number in (signal.SIGSTOP, signal.SIGKILL):
        signal_processes(run, number)


def signal_processes(run, number: int) -> None:
    for process in sessions(run):
        with contextlib.suppress(psutil.NoSuchProcess):  # a worker ends when an epoch has no more to load
            process.send_signal(number)


# What is done to a run, and the exit statuses of its ranks then.
WAYS = {
    "TERM to torchrun": lambda run, _: signal_groups(run, signal.SIGTERM),
    "TERM to every process": lambda run, _: signal_all(run, signal.SIGTERM),
    "KILL one rank": lambda run, rank: run.kill(rank),
    "KILL every process": lambda run, _: kill_all(run),
}


def start(forks, program: str, folder: Path, workers: int, before=None):
    options = (*OPTIONS, "--workers", workers, "--runs", folder, "--name", "run")
    log, before = folder / f"log{len(list(folder.glob('log*')))}", train_hold.in_own_session(before)
    return forks.start(f"{program}.py", *options, ranks=2, cwd=folder, streams=[log], before=before)


def end(run) -> list[int]:
    """Wait for the ranks, and for their workers: one that lost its rank looks for it once a second."""
    statuses, deadline = run.wait(LIMIT_S), time.monotonic() + LIMIT_S
    while left := sessions(run):
        assert time.monotonic() < deadline, f"{left} are still there\n{run.said()}"
        time.sleep(0.2)
    return statuses


def weights(folder: Path) -> dict[str, torch.Tensor]:
    """Weights and momenta at the end."""
    state = torch.load(restart.Checkpoints(folder / "run", {}, rank=1).files()[0], weights_only=True)
    assert state["step"] == STEPS
    momenta = {f"momentum {k}": v["momentum_buffer"] for k, v in state["optimizer"]["state"].items()}
    return state["model"] | momenta


@pytest.fixture(scope="module")
def undisturbed(forks, once):
    """Each program's weights at the end of a run that nobody disturbs."""

    def of(program: str) -> dict[str, torch.Tensor]:
        def run(folder: Path) -> None:
            run = start(forks, program, folder, workers=0)
            assert end(run) == [0, 0], run.said()

        return weights(once(f"undisturbed-{program}", run))

    return of


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("workers", "attempt"), CASES)
@pytest.mark.parametrize("program", PROGRAMS)
def test_what_stops_a_run_does_not_change_its_end(forks, undisturbed, tmp_path, program, workers, way, attempt):
    # 8 and 4 first: inside the second epoch; and, for a signal, after the last step of the first, before its end.
    step = 1 + (5 * attempt + 7) % (STEPS - 1)
    signs, killed = tmp_path / "signs", attempt % 2
    signs.mkdir()
    run = start(forks, program, tmp_path, workers, train_hold.at_checkpoint(step, signs))
    run.wait_for((signs / "held").exists, LIMIT_S)
    assert attempt or len(sessions(run)) >= 2 + 2 * workers  # later in an epoch workers may have no more to load
    WAYS[way](run, killed)
    (signs / "go").touch()
    statuses, marker = end(run), tmp_path / "run" / "REQUEUE"
    if way.startswith("TERM"):
        last = step if step % STEPS_AN_EPOCH == 0 else step + 1
        assert statuses == [0, 0], run.said()
        assert marker.read_text() == f"SIGTERM at step {last}\n"
        # At the end of an epoch the same step is written twice: after it, and after validation. No third time.
        assert not list((tmp_path / "run" / "checkpoints").glob("*-2.pt"))
    else:
        assert statuses == ([-9, -9] if way == "KILL every process" else [-9, 1][:: -1 if killed else 1]), run.said()
        assert not marker.exists(), "nobody asked it to come back"
    again = start(forks, program, tmp_path, workers)
    assert end(again) == [0, 0], again.said()
    # Rank 0 was killed while it wrote the very first checkpoint: there is none.
    none = step == 1 and (way == "KILL every process" or (way == "KILL one rank" and killed == 0))
    assert ("going on from" in again.said()) != none, again.said()
    expected, found = undisturbed(program), weights(tmp_path)
    assert not [name for name in expected | found if not torch.equal(expected[name], found[name])]
