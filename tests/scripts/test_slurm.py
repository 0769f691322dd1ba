"""Every script of scripts/slurm, byte for byte on the practice cluster: a real Slurm."""

import json
import os
import re
import shutil
import subprocess
import time
from pathlib import Path

import pytest
from job_results import assert_same_training, assert_scaling, result_of
from job_training import SWEEP, learning_rates, staged_training, swept, wait_for_epoch, write_digits

from workshop.cluster import Cluster
from workshop.paths import REPO

pytestmark = pytest.mark.needs_slurm
ARRAY = {"array-lr0.1": 0.1, "array-lr0.03": 0.03, "array-lr0.01": 0.01, "array-lr0.003": 0.003}
WAIT_S = 600
# Open MPI refuses root without these; tests in a container are often root's.
ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


def submit(cluster: Cluster, workplace: Path, stem: str, *options: str) -> str:
    """sbatch the real file; returns the job id. ``--test-only`` first: what Slurm would refuse is seen at once."""
    script = str(REPO / "scripts" / "slurm" / f"{stem}.sbatch")
    tried = call(cluster, workplace, "sbatch", "--test-only", *options, script)
    assert "to start at" in tried, tried
    return call(cluster, workplace, "sbatch", "--parsable", *options, script).split("\n")[0].split(";")[0]


def call(cluster: Cluster, workplace: Path, *words: str) -> str:
    """stdout and stderr of a command on the cluster; it must succeed."""
    done = cluster.run(
        list(words),
        cwd=workplace,
        env=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, (words, done.stdout)
    return done.stdout


def facts(cluster: Cluster, workplace: Path, job_id: str) -> list[dict[str, str]]:
    """What ``scontrol show job`` says, one dictionary a job (an array has several)."""
    text = call(cluster, workplace, "scontrol", "--oneliner", "show", "job", job_id)
    return [
        dict(re.findall(r"(\w+)=(.*?)(?= \w+=|$)", line.strip()))
        for line in text.splitlines()
        if line.startswith("JobId")
    ]


def wait(cluster: Cluster, workplace: Path, job_id: str) -> list[dict[str, str]]:
    """Until the job has ended."""
    deadline = time.monotonic() + WAIT_S
    while True:
        jobs = facts(cluster, workplace, job_id)
        if all(job["JobState"] not in ("PENDING", "RUNNING", "COMPLETING", "CONFIGURING", "REQUEUED") for job in jobs):
            return jobs
        assert time.monotonic() < deadline, jobs
        time.sleep(0.3)


def finish(cluster: Cluster, workplace: Path, job_id: str) -> str:
    """Wait for success and give the log."""
    (job,) = wait(cluster, workplace, job_id)
    log = (workplace / Path(job["StdOut"]).name).read_text()
    assert (job["JobState"], job["ExitCode"]) == ("COMPLETED", "0:0"), log
    return log


def test_hello(cluster, workplace):
    started = time.monotonic()
    log = call(cluster, workplace, "sbatch", "--wait", str(REPO / "scripts/slurm/hello.sbatch"))
    assert time.monotonic() - started < 3 * max(1.0, 3 * os.getloadavg()[0] / (os.cpu_count() or 1)), (
        "3 s on a quiet machine"
    )
    job_id = log.split()[-1]
    told = dict(line.split(":", 1) for line in (workplace / f"hello-{job_id}.out").read_text().splitlines())
    told = {name: value.strip() for name, value in told.items()}
    assert told.pop("node") in ("cpu1", "cpu2")
    assert told == {"job": job_id, "started in": str(workplace), "submitted from": str(workplace), "cores": "2"}


def test_gpu_query(cluster, workplace):
    log = finish(cluster, workplace, submit(cluster, workplace, "gpu_query"))
    assert re.search(r"^GPUs of this job: \d$", log, re.MULTILINE)
    assert "all-reduce" in log and ": ok" in log


def test_array_then_dependency(cluster, workplace):
    array = submit(cluster, workplace, "array")
    gather = submit(cluster, workplace, "dependency", f"--dependency=afterok:{array}")
    never = submit(cluster, workplace, "dependency", f"--dependency=afternotok:{array}")
    assert facts(cluster, workplace, gather)[0]["JobState"] == "PENDING"

    tasks = wait(cluster, workplace, array)
    assert [task["JobState"] for task in tasks] == ["COMPLETED"] * 4
    assert learning_rates(workplace) == ARRAY
    logs = [workplace / f"array-{array}_{index}.out" for index in range(1, 5)]
    assert all(result_of(log.read_text())["epochs"] == 5 for log in logs)

    text = finish(cluster, workplace, gather)
    (job,) = facts(cluster, workplace, gather)
    assert all(task["EndTime"] <= job["StartTime"] for task in tasks), "the dependent job started after the last task"
    assert all(f"==> runs/{name}/metrics.jsonl <==" in text for name in ARRAY)
    assert facts(cluster, workplace, never)[0]["Reason"] == "DependencyNeverSatisfied"
    call(cluster, workplace, "scancel", never)


def test_dependent_job_does_not_start_after_a_failure(cluster, workplace):
    """Without the array's runs the gathering job fails; what waits for its success stays where it is."""
    fails = submit(cluster, workplace, "dependency")
    waits = submit(cluster, workplace, "dependency", f"--dependency=afterok:{fails}")
    assert wait(cluster, workplace, fails)[0]["JobState"] == "FAILED"
    deadline = time.monotonic() + 30
    while (job := facts(cluster, workplace, waits)[0])["Reason"] != "DependencyNeverSatisfied":
        assert time.monotonic() < deadline and job["JobState"] == "PENDING", job
        time.sleep(0.3)
    call(cluster, workplace, "scancel", waits)


def test_stage_data(cluster, workplace, one_process, tmp_path, monkeypatch):
    disk = tmp_path / "disk"
    disk.mkdir()
    monkeypatch.setenv("SLURM_TMPDIR", str(disk))
    write_digits(workplace)
    job_id = submit(cluster, workplace, "stage_data")
    log = finish(cluster, workplace, job_id)
    assert (workplace / "runs" / f"stage-{job_id}" / "metrics.jsonl").is_file()
    assert_same_training(result_of(log), one_process("one_device.py", 5))
    assert list(disk.iterdir()) == []


@pytest.mark.parametrize("stop", [("scancel",), ("scancel", "--signal=TERM")])
def test_stage_data_told_to_stop(cluster, workplace, tmp_path, monkeypatch, stop):
    """Cancelled, or warned by --signal (which reaches the step alone): the results come home, the disk is clean."""
    disk = tmp_path / "disk"
    disk.mkdir()
    monkeypatch.setenv("SLURM_TMPDIR", str(disk))
    write_digits(workplace)
    job_id = submit(cluster, workplace, "stage_data")
    deadline = time.monotonic() + 200
    while staged_training(workplace) is None:
        assert time.monotonic() < deadline, facts(cluster, workplace, job_id)
        time.sleep(0.01)
    call(cluster, workplace, *stop, job_id)
    (job,) = wait(cluster, workplace, job_id)
    assert job["JobState"] == ("CANCELLED" if len(stop) == 1 else "FAILED")
    while list(disk.iterdir()):  # a cancelled job counts as ended before its script has
        assert time.monotonic() < deadline, list(disk.iterdir())
        time.sleep(0.1)
    assert (workplace / "runs" / f"stage-{job_id}" / "config.json").is_file()


def test_project_sweep_runs_the_snapshot(cluster, workplace, tmp_path, monkeypatch):
    """CODE names a snapshot: its program runs, and its results lie in a folder of its name."""
    disk = tmp_path / "disk"
    disk.mkdir()
    monkeypatch.setenv("SLURM_TMPDIR", str(disk))
    monkeypatch.setenv("CODE", "snapshots/4f0c2d1")
    snapshot = workplace / "snapshots" / "4f0c2d1" / "scripts" / "train"
    shutil.copytree(REPO / "scripts" / "train", snapshot)
    (snapshot / "one_device.py").write_text((snapshot / "one_device.py").read_text() + "    print('the snapshot')\n")
    write_digits(workplace)
    job_id = submit(cluster, workplace, "project_sweep")
    tasks = wait(cluster, workplace, job_id)
    logs = [(workplace / f"project_sweep-{job_id}_{index}.out").read_text() for index in range(1, 7)]
    assert [task["JobState"] for task in tasks] == ["COMPLETED"] * 6, logs
    assert swept(workplace / "runs" / "4f0c2d1") == SWEEP
    assert all(log.endswith("the snapshot\n") for log in logs)
    assert list(disk.iterdir()) == []


def test_project_train_told_to_stop(cluster, workplace, one_process, tmp_path, monkeypatch):
    """Warned after an epoch, it goes back into the queue and ends as if undisturbed; the nodes' disk is clean."""
    disk = tmp_path / "disk"
    disk.mkdir()
    monkeypatch.setenv("SLURM_TMPDIR", str(disk))
    write_digits(workplace)
    job_id = submit(cluster, workplace, "project_train")
    wait_for_epoch(workplace, f"train-{job_id}", 1)
    call(cluster, workplace, "scancel", "--signal=TERM", job_id)
    log = finish(cluster, workplace, job_id)
    (job,) = facts(cluster, workplace, job_id)
    assert (job["NumNodes"].split("-")[0], job["Restarts"]) == ("2", "1")
    assert "world_size=2 " in log and "checkpoint: going on from" in log
    assert_same_training(result_of(log), one_process("ddp.py", 10))
    assert list(disk.iterdir()) == []


@pytest.mark.parametrize("stem", ["ddp_single_node", "ddp_multi_node", "ddp_multi_node_mpirun"])
def test_ddp(cluster, workplace, stem, one_process, require):
    if stem.endswith("mpirun"):
        require("mpi")
    job_id = submit(cluster, workplace, stem)
    log = finish(cluster, workplace, job_id)
    (job,) = facts(cluster, workplace, job_id)
    nodes, ranks = (1, 2) if stem == "ddp_single_node" else (2, 4)
    assert job["NumNodes"].split("-")[0] == str(nodes)
    assert f"world_size={ranks} " in log
    assert_same_training(result_of(log), one_process("ddp.py", 5))


def test_modules_ddp(cluster, workplace, one_process, require, monkeypatch):
    """Nothing is activated, and no environment is in PATH: torchrun and torch come from the module."""
    require("lmod")
    monkeypatch.setenv("PATH", "/usr/local/bin:/usr/bin:/bin")
    monkeypatch.delenv("PYTHONPATH", raising=False)
    log = finish(cluster, workplace, submit(cluster, workplace, "modules_ddp"))
    assert "world_size=2 " in log
    assert_same_training(result_of(log), one_process("ddp.py", 5))


@pytest.mark.parametrize("stem", ["ddp_single_node_apptainer", "ddp_multi_node_apptainer"])
def test_ddp_in_a_container(cluster, workplace_with_image, stem, one_process):
    log = finish(cluster, workplace_with_image, submit(cluster, workplace_with_image, stem))
    assert f"world_size={2 if 'single' in stem else 4} " in log
    assert "this PyTorch was built without CUDA" in log, "this was the image's torch, not the environment's"
    assert_same_training(result_of(log), one_process("ddp.py", 5))


def test_scaling(cluster, workplace):
    job_id = submit(cluster, workplace, "scaling")
    log = finish(cluster, workplace, job_id)
    assert_scaling(log, workplace / "runs" / f"scaling-{job_id}.json")


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_requeue_at_the_walltime(cluster, workplace, one_process, monkeypatch):
    """Near its limit Slurm tells the steps to stop; the job goes back into the queue and ends as if undisturbed."""
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent / "slow_disk"))
    monkeypatch.setenv("SLOW_DISK_S", "8")  # twice an epoch: ten epochs would take longer than two minutes
    job_id = submit(cluster, workplace, "requeue", "--time=2", "--signal=TERM@30")
    log = finish(cluster, workplace, job_id)
    (job,) = facts(cluster, workplace, job_id)
    assert job["Restarts"] == "1"
    assert "stopped by SIGTERM" in log and "checkpoint: going on from" in log
    assert_same_training(result_of(log), one_process("ddp.py", 10))


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_checkpoint_chain(cluster, workplace, one_process):
    """A rank is killed after two epochs: the successor trains on, and the next one never starts."""
    first = submit(cluster, workplace, "checkpoint_chain")
    run = f"chain-{first}"
    wait_for_epoch(workplace, run, 2)
    call(cluster, workplace, "scancel", "--batch", "--full", "--signal=KILL", first)
    assert wait(cluster, workplace, first)[0]["JobState"] != "COMPLETED"
    second = (workplace / f"checkpoint_chain-{first}.out").read_text().split("Submitted batch job ")[1].split()[0]
    log = finish(cluster, workplace, second)
    assert "checkpoint: going on from" in log
    assert_same_training(result_of(log), one_process("ddp.py", 10))
    rows = [json.loads(line) for line in (workplace / "runs" / run / "metrics.jsonl").read_text().splitlines()]
    assert [row["epoch"] for row in rows] == list(range(1, 11))
