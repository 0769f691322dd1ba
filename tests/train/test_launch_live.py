"""launch.py started for real: by torchrun, mpirun, plain python, and by launches that cannot work.

Where a launcher is tested, it is a real one with real starts of Python; where an environment is, a fork has it.
"""

import concurrent.futures
import contextlib
import datetime
import json
import os
import re
import signal
import socket
import sys
import time
from dataclasses import replace
from pathlib import Path

import psutil
import pytest
import torch

import launch
import train_forks
from train_running import TRAIN, Job, clean_environment, command, run_command

TWO_BY_HAND = {"WORLD_SIZE": "2", "LOCAL_WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1"}
UNTIL_STOPPED = Path(__file__).with_name("until_stopped.py")
MPIRUN = ("mpirun", "--oversubscribe", "-np")


def environment_of_mpirun() -> dict[str, str]:
    return clean_environment(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")


@pytest.fixture
def kept_port():
    """A port for MASTER_PORT that nobody else gets during the test."""
    with train_forks.keep_port() as keeper:
        yield train_forks.port_of(keeper)


def facts(done) -> dict[str, str]:
    assert done.status == 0, done.out + done.err
    return dict(line.split(":", 1) for line in done.lines if ":" in line)


def test_plain_python(tmp_path):
    done = run_command(command("launch.py"), tmp_path)
    assert facts(done)["launcher"].strip() == "none"
    assert "backend=gloo world_size=1 device=cpu (no GPU is visible)" in done.lines
    assert done.lines[-1].startswith("all-reduce of 1 … 1: 1, expected 1: ok")
    assert done.err == ""


def test_plain_python_in_a_batch_script_of_four_tasks(train):
    job = {"SLURM_JOB_ID": "7", "SLURM_NTASKS": "4", "SLURM_JOB_NUM_NODES": "2", "SLURM_PROCID": "0"}
    done = train("launch.py", env=clean_environment(**job))
    assert facts(done)["rank"].strip() == "0 of 1"
    assert "4 tasks, but srun did not start this process: use 'srun python" in done.err


# launch.py as torchrun starts it, after it has written down what torchrun gave it.
SHOW = """
import json, os, runpy, sys
with open("environment-" + os.environ["RANK"], "w") as file:
    json.dump(dict(os.environ), file)
sys.path.insert(0, {train!r})
runpy.run_path({train!r} + "/launch.py", run_name="__main__")
"""
# Torchrun's own affairs: files for errors of ranks, and how it watches its agents.
NOT_FOR_RANKS = re.compile("TORCHELASTIC_(ERROR_FILE|HEALTH|SIGNALS)|TORCH_NCCL|OMP_NUM_THREADS")


def test_torchrun(train, tmp_path):
    program = tmp_path / "show.py"
    program.write_text(SHOW.format(train=str(TRAIN)))
    done = run_command(command(program, ranks=2), tmp_path)
    found = facts(done)
    assert (found["launcher"].strip(), found["rank"].strip()) == ("torchrun", "0 of 2")
    assert "backend=gloo world_size=2 device=cpu (no GPU is visible)" in done.lines
    assert [line for line in done.lines if line.startswith("rank 1: ")]
    assert done.lines[-1].startswith("all-reduce of 1 … 2: 3, expected 3: ok")
    # The agent has the store. A rank 0 that makes one, too, finds the port taken: PyTorch says so, and goes on.
    assert "server socket" not in done.err

    # What the other tests rely on: forks get the same variables, and see the same in them.
    real = [json.loads((tmp_path / f"environment-{rank}").read_text()) for rank in range(2)]
    assert facts(train(program, ranks=2))["launcher"].strip() == "torchrun"
    for rank in range(2):
        forked = json.loads((tmp_path / f"environment-{rank}").read_text())
        differ = {name for name in real[rank] | forked if real[rank].get(name) != forked.get(name)}
        differ -= {name for name in differ if NOT_FOR_RANKS.match(name)}
        assert differ <= {"MASTER_ADDR", "MASTER_PORT", "TORCHELASTIC_RUN_ID"}, "they differ from run to run"
        assert {name for name in differ if name not in real[rank] or name not in forked} == set()


@pytest.mark.slow
def test_two_torchruns_as_two_nodes_of_one_machine(tmp_path, kept_port):
    """What the practice cluster does: both nodes are this machine, and torchrun may call itself localhost."""
    words = command("launch.py", "--timeout", "60", ranks=1)
    elastic = ["--nnodes=2", "--rdzv-backend=c10d", f"--rdzv-endpoint=127.0.0.1:{kept_port}", "--rdzv-id=7"]
    words[words.index("--standalone") : words.index("--standalone") + 1] = elastic
    both = [Job(words, tmp_path, None, [tmp_path / f"log-{node}"]) for node in range(2)]
    try:
        said = "".join(f"{one.wait(150)}\n{one.said()}" for one in both)
    finally:
        for one in both:
            one.end()
    assert [one.process.returncode for one in both] == [0, 0], said
    assert "all-reduce of 1 … 2: 3, expected 3: ok" in said


@pytest.mark.needs_mpi
def test_mpirun(require, tmp_path):
    require("mpi")
    done = run_command([*MPIRUN, "3", *command("launch.py")], tmp_path, environment_of_mpirun())
    found = facts(done)
    assert (found["launcher"].strip(), found["rank"].strip()) == ("openmpi", "0 of 3")
    assert done.lines[-1].startswith("all-reduce of 1 … 3: 6, expected 6: ok")


def test_in_a_notebook_kernels_environment(train):
    """A Jupyter session inside a job has the job's variables; its kernel was started by nobody's launcher."""
    job = {"SLURM_JOB_ID": "7", "SLURM_NTASKS": "1", "SLURM_JOB_NAME": "sys/dashboard/jupyter", "JPY_PARENT_PID": "1"}
    done = train("launch.py", env=clean_environment(**job))
    assert facts(done)["rank"].strip() == "0 of 1" and done.err == ""


# --- signals to a launcher: a small job waits for them, and says when it is ready


# torchrun raises an exception wherever its signal finds it. Where that is in Popen.poll, between taking the lock of a
# rank's process and the "try" that gives it back, Popen never sees that rank's end: torchrun waits the 30 s that it
# leaves its ranks, "kills" the one that has ended, and waits as long for that (Python 3.11, PyTorch 2.14: 60.4 s).
TORCHRUN_ENDS_S = 2 * 30 + 60


@pytest.fixture
def job(tmp_path):
    """``job(words, ranks)``: start a launcher with ``until_stopped.py``; it is back when all ranks may get signals."""
    started = []

    def start(words: list[str], ranks: int, env: dict[str, str] | None = None) -> Job:
        started.append(Job(words, tmp_path, env, [tmp_path / "log"]))
        started[-1].wait_for(lambda: all((tmp_path / f"ready-{rank}").exists() for rank in range(ranks)), 120)
        return started[-1]

    yield start
    for one in started:
        one.end()


def left(tmp_path: Path, ranks: int) -> list[int]:
    """The ranks that came to their own end: that torchrun killed none of them cannot be seen from its exit status."""
    pids = [(tmp_path / f"ready-{rank}").read_text() for rank in range(ranks)]
    return [rank for rank, pid in enumerate(pids) if (tmp_path / f"ended-{pid}").exists()]


def test_sigterm_to_torchrun(job, tmp_path):
    """torchrun passes SIGTERM on and ends with an error: the marker, not the exit status, says what happened."""
    running = job(command(UNTIL_STOPPED, ranks=2), 2)
    running.signal(signal.SIGTERM)
    assert running.wait(TORCHRUN_ENDS_S) != 0
    assert left(tmp_path, 2) == [0, 1], running.said()
    assert (tmp_path / "run" / "REQUEUE").read_text().startswith("SIGTERM at step ")


def test_sigterm_to_all_that_torchrun_started(job, tmp_path):
    """Schedulers send it to each process of a job: those that load data live on until the checkpoint is written."""
    running = job(command(UNTIL_STOPPED, ranks=2), 2)
    for child in psutil.Process(running.pid).children(recursive=True):
        with contextlib.suppress(psutil.NoSuchProcess):  # the first ranks that got it may have ended their workers
            child.terminate()
    assert running.wait(60) == 0, running.said()
    assert (tmp_path / "run" / "REQUEUE").read_text().startswith("SIGTERM at step ")


def test_sigusr2_to_torchrun_needs_its_option(job, tmp_path):
    words = command(UNTIL_STOPPED, ranks=1)
    words.insert(words.index("--standalone"), "--signals-to-handle=SIGTERM,SIGINT,SIGHUP,SIGQUIT,SIGUSR2")
    running = job(words, 1)
    running.signal(signal.SIGUSR2)
    assert running.wait(TORCHRUN_ENDS_S) != 0
    assert left(tmp_path, 1) == [0], running.said()
    assert (tmp_path / "run" / "REQUEUE").read_text().startswith("SIGUSR2 at step ")


@pytest.mark.needs_mpi
def test_sigusr2_to_mpirun(require, job, tmp_path):
    """Open MPI's mpirun forwards SIGUSR2, and the job ends well; to SIGTERM it gives the ranks about a second."""
    require("mpi")
    running = job([*MPIRUN, "2", sys.executable, str(UNTIL_STOPPED)], 2, environment_of_mpirun())
    running.signal(signal.SIGUSR2)
    assert running.wait(60) == 0
    assert (tmp_path / "run" / "REQUEUE").read_text().startswith("SIGUSR2 at step ")


def test_a_killed_rank_ends_torchrun_which_names_it(job, tmp_path):
    running = job(command(UNTIL_STOPPED, ranks=2), 2)
    os.kill(int((tmp_path / "ready-1").read_text()), signal.SIGKILL)
    assert running.wait(90) != 0
    assert re.search(r"rank\s*: 1 \(local_rank: 1\)\s+exitcode\s*: -9", running.said()), running.said()
    assert not (tmp_path / "run" / "REQUEUE").exists(), "nobody asked it to come back"


# --- launches that cannot work: a refusal within the time limit


def refused(train, seconds: float, *options, **env) -> str:
    start = time.monotonic()
    done = train("launch.py", *options, env=clean_environment(**env))
    assert done.status == 1 and "Traceback" not in done.err, done.out + done.err
    assert time.monotonic() - start < seconds + 30  # the machine may be busy
    return done.err


def test_a_missing_rank_is_named(train, kept_port):
    env = TWO_BY_HAND | {"RANK": "0", "LOCAL_RANK": "0", "MASTER_PORT": kept_port}
    message = refused(train, 3, "--timeout", "3", **env)
    assert "1 of 2 ranks within 3 s; missing: 1" in message


def test_two_processes_with_one_rank_are_refused(kept_port):
    """Of two launches that came to the same port: whoever is second must not train in the world of the first."""
    me = launch.Launch("mpich", 0, 0, 2, 2, 1, "127.0.0.1", int(kept_port))
    limit = datetime.timedelta(seconds=20)
    with concurrent.futures.ThreadPoolExecutor() as threads:
        first = [threads.submit(launch._meet, replace(me, rank=rank), "gloo", "", limit) for rank in (0, 1)]
        stores = [future.result() for future in first]
        with pytest.raises(launch.LaunchError, match="rank 1 a second time") as refusal:
            launch._meet(replace(me, rank=1), "gloo", "", limit)
    assert "export MASTER_PORT=" in str(refusal.value) and len(str(refusal.value).splitlines()) <= 5
    assert len(stores) == 2


def test_no_rank_0(train, kept_port):
    env = TWO_BY_HAND | {"RANK": "1", "LOCAL_RANK": "1", "MASTER_PORT": kept_port}
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
import os, signal, time
import launch, torch, torch.distributed as dist
me, device = launch.init({limit_s})
for step in range(1000):
    if me.rank == 1 and step == 20:
        {act}
    dist.all_reduce(torch.ones(10))
"""


# Within the limit the ranks must also meet, on a busy machine too. One that was killed is missed at once.
LOST = {"killed": ("os.kill(os.getpid(), signal.SIGKILL)", 60), "hanging": ("time.sleep(600)", 12)}


@pytest.mark.parametrize("way", LOST)
def test_a_lost_rank_ends_the_job_and_is_named(forks, tmp_path, way):
    program, (act, limit_s) = tmp_path / "victim.py", LOST[way]
    program.write_text(VICTIM.format(act=act, limit_s=limit_s))
    ranks = forks.start(program, cwd=tmp_path, streams=[tmp_path / "log"], ranks=2, by_hand=True)
    try:
        ranks.processes[0].join(120)
        assert ranks.statuses[0] == 1, ranks.said()
        assert "launch: rank 0 of 2 on " in ranks.said()
        assert "launch: no word from rank 1: killed, or hanging" in ranks.said()
    finally:
        ranks.end()


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


def test_gpus_of_amd_and_intel_are_not_called_none():
    assert launch.intel_gpus() == 0 and launch.why_no_gpu({}) == "no GPU is visible"
    assert launch.why_no_gpu({}, intel=12).startswith("12 Intel GPU(s) are here, which launch.py does not serve")
    amd = {"HIP_VISIBLE_DEVICES": "0", "ROCR_VISIBLE_DEVICES": "2"}
    assert launch.why_no_gpu(amd).endswith("ROCR_VISIBLE_DEVICES=2, but this PyTorch was built without ROCm")
    # Slurm may set AMD's variable on a node with NVIDIA's GPUs.
    assert "CUDA_VISIBLE_DEVICES=4" in launch.why_no_gpu(amd | {"CUDA_VISIBLE_DEVICES": "4"})
    assert launch.shown_gpus(amd) == "ROCR_VISIBLE_DEVICES=2 HIP_VISIBLE_DEVICES=0"
    assert launch.shown_gpus(amd | {"CUDA_VISIBLE_DEVICES": "4"}) == "CUDA_VISIBLE_DEVICES=4"
    assert launch.shown_gpus({"ZE_AFFINITY_MASK": "0.1"}) == "ZE_AFFINITY_MASK=0.1"
    assert launch.shown_gpus({}) == "CUDA_VISIBLE_DEVICES=unset"
