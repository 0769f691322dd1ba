"""Jobs that are killed or told to stop: what is left behind, and that the resumed run ends as if nothing had been."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from train_running import clean_environment, command, run_command

SHORT = ("--samples", 400, "--epochs", 40, "--dropout", 0.3, "--check-every", 1, "--timeout", 60)


@pytest.mark.slow
def test_twenty_kills_at_random_moments_change_nothing(tmp_path):
    """SIGKILL to a rank or all, in steps and in the middle of writing: same weights, bit for bit, on the CPU.

    Between some of them one rank gets SIGTERM: all must stop together, well, and leave the marker.
    """
    seed = os.environ.get("WORKSHOP_FAULT_SEED") or str(int.from_bytes(os.urandom(2), "big"))
    print(f"to repeat: WORKSHOP_FAULT_SEED={seed}")
    words = [sys.executable, str(Path(__file__).with_name("faults.py")), str(tmp_path), seed, "20"]
    done = run_command(words, tmp_path, timeout=280)
    assert done.status == 0, done.err
    report = json.loads(done.lines[-1])
    print(*report["report"], sep="\n")
    assert report["kills"] == 20 and report["stops"] == report["markers"]
    assert any("write" in what for what in report["report"]), "no kill met a checkpoint that was being written"
    assert any("rank" in what for what in report["report"]) and any("all" in what for what in report["report"])


def start_and_wait_for_an_epoch(words: list[str], cwd: Path, env=None) -> subprocess.Popen:
    """Start training and come back when it is in its third epoch."""
    log = open(cwd / "log", "w")  # noqa: SIM115
    process = subprocess.Popen(words, cwd=cwd, env=env or clean_environment(), stdout=log, stderr=subprocess.STDOUT)
    deadline = time.monotonic() + 120
    while "epoch 2/40" not in (cwd / "log").read_text():
        assert time.monotonic() < deadline and process.poll() is None, (cwd / "log").read_text()
        time.sleep(0.02)
    return process


@pytest.mark.slow
def test_sigterm_to_torchrun(tmp_path):
    """torchrun passes SIGTERM on and ends with an error: the marker, not the exit status, says what happened."""
    words = command("ddp_resume.py", *SHORT, ranks=2)
    process = start_and_wait_for_an_epoch(words, tmp_path)
    process.send_signal(signal.SIGTERM)
    status = process.wait(timeout=60)
    log, run = (tmp_path / "log").read_text(), tmp_path / "runs" / "ddp_resume"
    assert status != 0
    step = int(re.search(r"stopped by SIGTERM at step (\d+)", log)[1])
    assert (run / "REQUEUE").read_text() == f"SIGTERM at step {step}\n"
    assert "result: " not in log

    again = run_command(words, tmp_path)
    assert again.status == 0 and f"going on from runs/ddp_resume/checkpoints/step-{step:08d}" in again.out
    assert not (run / "REQUEUE").exists()
    epochs = [json.loads(line)["epoch"] for line in (run / "metrics.jsonl").read_text().splitlines()]
    assert epochs == list(range(1, 41))

    # A chain of jobs may start once more than needed; one process is enough to say so.
    finished = run_command(command("ddp_resume.py", *SHORT), tmp_path)
    assert finished.status == 0 and finished.result["epochs"] == 40
    assert finished.result["val_loss"] == again.result["val_loss"]


@pytest.mark.slow
def test_sigusr2_to_torchrun_needs_its_option(tmp_path):
    words = command("ddp_resume.py", *SHORT, ranks=2)
    words.insert(words.index("--standalone"), "--signals-to-handle=SIGTERM,SIGINT,SIGHUP,SIGQUIT,SIGUSR2")
    process = start_and_wait_for_an_epoch(words, tmp_path)
    process.send_signal(signal.SIGUSR2)
    assert process.wait(timeout=60) != 0
    assert (tmp_path / "runs" / "ddp_resume" / "REQUEUE").read_text().startswith("SIGUSR2 at step ")


@pytest.mark.slow
@pytest.mark.needs_mpi
def test_sigusr2_to_mpirun(require, tmp_path):
    """Open MPI's mpirun forwards SIGUSR2, and the job ends well; to SIGTERM it gives the ranks about a second."""
    require("mpi")
    env = clean_environment(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    words = ["mpirun", "--oversubscribe", "-np", "2", *command("ddp_resume.py", *SHORT)]
    process = start_and_wait_for_an_epoch(words, tmp_path, env)
    process.send_signal(signal.SIGUSR2)
    assert process.wait(timeout=60) == 0
    assert (tmp_path / "runs" / "ddp_resume" / "REQUEUE").read_text().startswith("SIGUSR2 at step ")


@pytest.mark.slow
def test_a_killed_rank_ends_torchrun_which_names_it_and_other_ranks_go_on(tmp_path):
    process = start_and_wait_for_an_epoch(command("ddp_resume.py", *SHORT, ranks=2), tmp_path)
    children = subprocess.run(["pgrep", "-P", str(process.pid)], capture_output=True, text=True, check=True)
    victim = next(
        int(pid)
        for pid in children.stdout.split()
        if b"\0LOCAL_RANK=1\0" in b"\0" + Path(f"/proc/{pid}/environ").read_bytes()
    )
    os.kill(victim, signal.SIGKILL)
    assert process.wait(timeout=90) != 0
    log = (tmp_path / "log").read_text()
    assert re.search(r"rank\s*: 1 \(local_rank: 1\)\s+exitcode\s*: -9", log), log
    assert not (tmp_path / "runs" / "ddp_resume" / "REQUEUE").exists(), "nobody asked it to come back"

    alone = run_command(command("ddp_resume.py", *SHORT), tmp_path)  # one rank instead of two
    assert alone.status == 0 and "going on from" in alone.out and alone.result["val_accuracy"] > 0.9
