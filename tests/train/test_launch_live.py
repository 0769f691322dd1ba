"""launch.py started for real: by torchrun, mpirun, plain python, and by launches that cannot work."""

import os
import signal
import socket
import subprocess
import sys
import time

import pytest
import torch

import launch
from train_running import TRAIN, clean_environment, command, run_command

TWO_BY_HAND = {"WORLD_SIZE": "2", "LOCAL_WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1"}


def free_port() -> str:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return str(probe.getsockname()[1])


def facts(done) -> dict[str, str]:
    assert done.status == 0, done.out + done.err
    return dict(line.split(":", 1) for line in done.lines if ":" in line)


def test_plain_python(train):
    done = train("launch.py")
    assert facts(done)["launcher"].strip() == "none"
    assert "backend=gloo world_size=1 device=cpu (no GPU is visible)" in done.lines
    assert done.lines[-1].startswith("all-reduce of 1 … 1: 1, expected 1: ok")
    assert done.err == ""


def test_plain_python_in_a_batch_script_of_four_tasks(train):
    job = {"SLURM_JOB_ID": "7", "SLURM_NTASKS": "4", "SLURM_JOB_NUM_NODES": "2", "SLURM_PROCID": "0"}
    done = train("launch.py", env=clean_environment(**job))
    assert facts(done)["rank"].strip() == "0 of 1"
    assert "4 tasks, but srun did not start this process: use 'srun python" in done.err


def test_torchrun(train):
    done = train("launch.py", ranks=2)
    found = facts(done)
    assert (found["launcher"].strip(), found["rank"].strip()) == ("torchrun", "0 of 2")
    assert "backend=gloo world_size=2 device=cpu (no GPU is visible)" in done.lines
    assert [line for line in done.lines if line.startswith("rank 1: ")]
    assert done.lines[-1].startswith("all-reduce of 1 … 2: 3, expected 3: ok")


@pytest.mark.slow
def test_two_torchruns_as_two_nodes_of_one_machine(tmp_path):
    """What the practice cluster does: both nodes are this machine, and torchrun may call itself localhost."""
    words = command("launch.py", "--timeout", "60", ranks=1)
    port = free_port()
    elastic = ["--nnodes=2", "--rdzv-backend=c10d", f"--rdzv-endpoint=127.0.0.1:{port}", "--rdzv-id=7"]
    words[words.index("--standalone") : words.index("--standalone") + 1] = elastic
    both = [
        subprocess.Popen(words, cwd=tmp_path, env=clean_environment(), stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    outputs = [process.communicate(timeout=150)[0] for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert "all-reduce of 1 … 2: 3, expected 3: ok" in "".join(outputs)


@pytest.mark.needs_mpi
def test_mpirun(require, tmp_path):
    require("mpi")
    words = ["mpirun", "--oversubscribe", "-np", "3", *command("launch.py")]
    env = clean_environment(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    done = run_command(words, tmp_path, env)
    found = facts(done)
    assert (found["launcher"].strip(), found["rank"].strip()) == ("openmpi", "0 of 3")
    assert done.lines[-1].startswith("all-reduce of 1 … 3: 6, expected 6: ok")


def test_in_a_notebook_kernels_environment(train):
    """A Jupyter session inside a job has the job's variables; its kernel was started by nobody's launcher."""
    job = {"SLURM_JOB_ID": "7", "SLURM_NTASKS": "1", "SLURM_JOB_NAME": "sys/dashboard/jupyter", "JPY_PARENT_PID": "1"}
    done = train("launch.py", env=clean_environment(**job))
    assert facts(done)["rank"].strip() == "0 of 1" and done.err == ""


# --- launches that cannot work: a refusal within the time limit


def refused(train, seconds: float, *options, **env) -> str:
    start = time.monotonic()
    done = train("launch.py", *options, env=clean_environment(**env))
    assert done.status == 1 and "Traceback" not in done.err, done.out + done.err
    assert time.monotonic() - start < seconds + 60  # PyTorch's import on a busy machine is in here too
    return done.err


def test_a_missing_rank_is_named(train):
    env = TWO_BY_HAND | {"RANK": "0", "LOCAL_RANK": "0", "MASTER_PORT": free_port()}
    message = refused(train, 3, "--timeout", "3", **env)
    assert "1 of 2 ranks within 3 s; missing: 1" in message


def test_no_rank_0(train):
    env = TWO_BY_HAND | {"RANK": "1", "LOCAL_RANK": "1", "MASTER_PORT": free_port()}
    assert "no answer from rank 0 at 127.0.0.1:" in refused(train, 3, "--timeout", "3", **env)


def test_a_taken_port(train):
    with socket.socket() as holder:
        holder.bind(("0.0.0.0", 0))
        holder.listen()
        port = str(holder.getsockname()[1])
        env = TWO_BY_HAND | {"RANK": "0", "LOCAL_RANK": "0", "MASTER_PORT": port}
        message = refused(train, 3, "--timeout", "3", **env)
    assert f"rank 0 cannot listen on 127.0.0.1:{port}" in message and "export MASTER_PORT=" in message


def test_a_master_that_does_not_resolve(train):
    env = TWO_BY_HAND | {"RANK": "1", "LOCAL_RANK": "1", "MASTER_ADDR": "no-such-node.invalid", "MASTER_PORT": "23456"}
    assert "cannot resolve" in refused(train, 3, "--timeout", "3", **env)


def test_rank_0_on_another_machine_than_its_address(train):
    env = TWO_BY_HAND | {"RANK": "0", "LOCAL_RANK": "0", "MASTER_ADDR": "192.0.2.1", "MASTER_PORT": "23456"}
    assert "MASTER_ADDR=192.0.2.1 is another machine" in refused(train, 3, "--timeout", "3", **env)


# --- a rank that dies or hangs later

VICTIM = """
import os, signal, sys, time
sys.path.insert(0, {train!r})
import launch, torch, torch.distributed as dist
me, device = launch.init(6)
for step in range(1000):
    if me.rank == 1 and step == 20:
        {act}
    dist.all_reduce(torch.ones(10))
"""


@pytest.mark.parametrize("act", ["os.kill(os.getpid(), signal.SIGKILL)", "time.sleep(40)"], ids=["killed", "hanging"])
def test_a_lost_rank_ends_the_job_and_is_named(tmp_path, act):
    program = tmp_path / "victim.py"
    program.write_text(VICTIM.format(train=str(TRAIN), act=act))
    port = free_port()
    ranks = [
        subprocess.Popen(
            [sys.executable, program],
            env=clean_environment(**TWO_BY_HAND, RANK=str(rank), LOCAL_RANK=str(rank), MASTER_PORT=port),
            stderr=subprocess.PIPE,
            text=True,
        )
        for rank in range(2)
    ]
    try:
        _, err = ranks[0].communicate(timeout=90)  # the limit of 6 s, and PyTorch's import on a busy machine
        assert ranks[0].returncode == 1
        assert "launch: rank 0 of 2 on " in err and "launch: no word from rank 1: killed, or hanging" in err
    finally:
        for process in ranks:
            if process.poll() is None:
                os.kill(process.pid, signal.SIGKILL)
            process.communicate()


# --- devices


def fake_gpus(monkeypatch, count: int) -> None:
    monkeypatch.setattr(torch.cuda, "device_count", lambda: count)


def place(launcher: str, local_rank: int) -> launch.Launch:
    return launch.Launch(launcher, local_rank, local_rank, 4, 4, 1)


def test_device_of_a_local_rank(monkeypatch):
    fake_gpus(monkeypatch, 4)
    assert [str(launch.pick_device(place("torchrun", r))) for r in range(4)] == [f"cuda:{r}" for r in range(4)]
    assert launch.backend_for(launch.pick_device(place("slurm", 2))) == "nccl"
    fake_gpus(monkeypatch, 1)  # --gpus-per-task=1: each task sees just its own, as number 0
    assert str(launch.pick_device(place("slurm", 3))) == "cuda:0"
    fake_gpus(monkeypatch, 0)
    assert str(launch.pick_device(place("slurm", 3))) == "cpu"


def test_two_processes_never_share_a_gpu(monkeypatch):
    fake_gpus(monkeypatch, 2)
    with pytest.raises(launch.LaunchError, match="more processes than GPUs"):
        launch.pick_device(place("slurm", 2))
    fake_gpus(monkeypatch, 1)
    with pytest.raises(launch.LaunchError, match="--nproc-per-node 1"):
        launch.pick_device(place("torchrun", 1))


@pytest.mark.parametrize(
    ("visible", "text"), [(None, "no GPU is visible"), ("", "hides them all"), ("0,1", "CUDA_VISIBLE_DEVICES=0,1")]
)
def test_why_there_is_no_gpu(visible, text):
    assert text in launch.why_no_gpu({} if visible is None else {"CUDA_VISIBLE_DEVICES": visible})
