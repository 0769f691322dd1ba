"""``first_error.py`` finds the error that came first, and not what followed from it."""

import subprocess
import sys

import pytest

from workshop.paths import REPO

sys.path.insert(0, str(REPO / "scripts" / "train"))
from first_error import first_error

LOGS = REPO / "scripts" / "exercises" / "troubleshooting" / "find_the_cause" / "logs"


@pytest.mark.parametrize(
    ("log", "line", "rank", "begins"),
    [
        ("environment.log", 3, None, "ModuleNotFoundError: No module named"),
        ("killed.log", 3, None, "/var/spool/slurmd/job"),
        ("limit.log", 10, None, "slurmstepd-cpu1: error: *** JOB"),
        ("ranks.log", 18, 1, "FileNotFoundError: [Errno 2]"),
    ],
)
def test_logs_of_real_runs(log, line, rank, begins):
    error = first_error((LOGS / log).read_text())
    assert (error.line, error.rank) == (line, rank)
    assert error.text.startswith(begins)


def test_a_log_without_errors():
    assert first_error("W1128 03:39:55 torch/distributed/run.py] Killed is no error here\nepoch 1/5 loss=2.1\n") is None
    assert first_error("") is None


TRACEBACK = 'Traceback (most recent call last):\n  File "train.py", line 3, in <module>\n    x = y\n{}\n'


def prefixed(prefix: str, text: str) -> str:
    return "".join(f"{prefix}{line}\n" for line in text.splitlines())


@pytest.mark.parametrize("form", ["[rank{}]: ", "[default{}]:", "{}: "])
def test_consequences_are_passed_over_even_if_they_come_first(form):
    closed = TRACEBACK.format("RuntimeError: Connection closed by peer [10.0.0.2]:4242")
    log = prefixed(form.format(0), closed) + prefixed(form.format(3), TRACEBACK.format("KeyError: 'label'"))
    error = first_error(log)
    assert (error.rank, error.text, error.where) == (3, "KeyError: 'label'", "train.py:3")


def test_interleaved_tracebacks_are_told_apart():
    a = prefixed("[rank0]: ", TRACEBACK.format("RuntimeError: Connection reset by peer")).splitlines()
    b = prefixed("[rank1]: ", TRACEBACK.format("ValueError: too many values")).splitlines()
    log = "\n".join(line for pair in zip(a, b, strict=True) for line in pair)
    assert first_error(log).text == "ValueError: too many values"


def test_only_consequences_are_better_than_nothing():
    assert first_error(TRACEBACK.format("RuntimeError: Broken pipe")).text == "RuntimeError: Broken pipe"


def test_the_rank_that_torchrun_names_wins():
    first = prefixed("[rank0]: ", TRACEBACK.format("ValueError: zero"))
    log = first + prefixed("[rank1]: ", TRACEBACK.format("ValueError: one"))
    root = "Root Cause (first observed failure):\n[0]:\n  time      : now\n  rank      : 1 (local_rank: 1)\n"
    assert first_error(log).text == "ValueError: zero"
    assert first_error(log + root).text == "ValueError: one"


def test_command_line(tmp_path):
    log = tmp_path / "log"
    log.write_text("[rank1]: " + TRACEBACK.format("KeyError: 'label'").replace("\n", "\n[rank1]: "))
    command = [sys.executable, str(REPO / "scripts" / "train" / "first_error.py"), str(log)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "line 4, rank 1: KeyError: 'label'\nin train.py:3\n")
    log.write_text("all is well\n")
    assert subprocess.run(command, capture_output=True, text=True).returncode == 1


def test_a_programs_own_message_before_torchruns_lines():
    """A program that ends with a sentence instead of a traceback: torchrun's traceback names only torchrun."""
    log = (
        "backend=gloo world_size=2 device=cpu (no GPU is visible)\n"
        "--batch-size 63 is not a multiple of 2 processes\n"
        "W1128 21:00:00.000000 77 torch/distributed/elastic/multiprocessing/api.py:1013]"
        " Sending process 79 closing signal SIGTERM\n"
        "E1128 21:00:00.100000 77 torch/distributed/elastic/multiprocessing/api.py:987]"
        " failed (exitcode: 1) local_rank: 0 (pid: 78) of binary: python\n"
        + TRACEBACK.format("torch.distributed.elastic.multiprocessing.errors.ChildFailedError:")
        + "Root Cause (first observed failure):\n[0]:\n  rank      : 0 (local_rank: 0)\n  exitcode  : 1 (pid: 78)\n"
    )
    error = first_error(log)
    assert (error.line, error.text) == (2, "--batch-size 63 is not a multiple of 2 processes")
    killed = log.replace("--batch-size 63 is not a multiple of 2 processes", "epoch 1/10 train_loss=1.2")
    assert "ChildFailedError" in first_error(killed.replace("exitcode  : 1", "exitcode  : -9")).text


WATCHDOG = (
    "[rank{0}]:[E1128 21:00:00.123 ProcessGroupNCCL.cpp:685] [Rank {0}] Watchdog caught collective operation timeout: "
    "WorkNCCL(SeqNum=7, OpType=ALLREDUCE, NumelIn=1, NumelOut=1, Timeout(ms)=300000) ran for 300001 milliseconds\n"
)


def test_nccls_watchdog_alone_is_an_error_too():
    error = first_error(WATCHDOG.format(1) + WATCHDOG.format(0))
    assert (error.line, error.rank) == (1, 1) and "Watchdog caught" in error.text


def test_a_broken_card_is_the_cause_and_not_who_lost_the_connection_to_it():
    lost = "torch.distributed.DistBackendError: NCCL error in: NCCLUtils.cpp:94, remote process exited or there was a "
    lost = prefixed("[rank0]: ", TRACEBACK.format(lost + "network error, NCCL version 2.28.9"))
    broken = prefixed("[rank2]: ", TRACEBACK.format("RuntimeError: CUDA error: uncorrectable ECC error encountered"))
    error = first_error(lost + WATCHDOG.format(1) + broken)
    assert (error.rank, error.text) == (2, "RuntimeError: CUDA error: uncorrectable ECC error encountered")
