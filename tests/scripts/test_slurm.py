"""Scripts of scripts/slurm, byte for byte on the practice cluster: a real Slurm.

Each script runs undisturbed once: those that a page shows in the page's console session, the others here
(test_slurm_stems.py has the list). What is told to stop, fails or waits is here as well.
"""

import json
import re
import subprocess
import time
from pathlib import Path

import pytest
from job_results import assert_same_training, result_of
from job_training import hold_third_checkpoint, learning_rates, wait_for_epoch
from recording import IMAGES, environment_with

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
    deadline = time.monotonic() + WAIT_S
    while (job := facts(cluster, workplace, waits)[0])["Reason"] != "DependencyNeverSatisfied":
        assert time.monotonic() < deadline and job["JobState"] == "PENDING", job
        time.sleep(0.3)
    call(cluster, workplace, "scancel", waits)


@pytest.mark.parametrize("stop", [("scancel",), ("scancel", "--signal=TERM")])
def test_stage_data_told_to_stop(cluster, workplace, recorder, digits, disk, stop):
    """Cancelled, or warned by --signal (which reaches the step alone): the results come home, the disk is clean.

    A recorder stands in for the training: it waits to be told.
    """
    recorder.hold()
    job_id = submit(cluster, workplace, "stage_data")
    recorder.held(1)
    call(cluster, workplace, *stop, job_id)
    (job,) = wait(cluster, workplace, job_id)
    assert job["JobState"] == ("CANCELLED" if len(stop) == 1 else "FAILED")
    deadline = time.monotonic() + WAIT_S
    while list(disk.iterdir()):  # a cancelled job counts as ended before its script has
        assert time.monotonic() < deadline, list(disk.iterdir())
        time.sleep(0.1)
    assert (workplace / "runs" / f"stage-{job_id}" / "config.json").is_file()
    (record,) = recorder.records()
    assert record["data_files"] == IMAGES


def test_ddp_with_mpirun(cluster, workplace, one_process, require):
    """Inside mpirun's ranks SLURM_PROCID is the number of mpirun's own helper: it must not be believed."""
    require("mpi")
    job_id = submit(cluster, workplace, "ddp_multi_node_mpirun")
    log = finish(cluster, workplace, job_id)
    (job,) = facts(cluster, workplace, job_id)
    assert job["NumNodes"].split("-")[0] == "2"
    assert "world_size=4 " in log
    assert_same_training(result_of(log), one_process("ddp.py", 5))


@pytest.mark.parametrize("stem", ["ddp_single_node_apptainer", "ddp_multi_node_apptainer"])
def test_ddp_in_a_container(cluster, workplace_with_image, stem, one_process):
    log = finish(cluster, workplace_with_image, submit(cluster, workplace_with_image, stem))
    assert f"world_size={2 if 'single' in stem else 4} " in log
    assert "this PyTorch was built without CUDA" in log, "this was the image's torch, not the environment's"
    assert_same_training(result_of(log), one_process("ddp.py", 5))


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_requeue_at_the_walltime(cluster, workplace, one_process):
    """Near its limit Slurm tells the steps to stop; the job goes back into the queue and ends as if undisturbed."""
    # Twice an epoch: ten epochs take longer than two minutes, and two checkpoints less than torchrun's 30 s of grace.
    environment_with(workplace, SLOW_DISK_S="6")
    job_id = submit(cluster, workplace, "requeue", "--time=2", "--signal=TERM@30")
    deadline = time.monotonic() + WAIT_S
    while facts(cluster, workplace, job_id)[0]["Restarts"] == "0":
        assert time.monotonic() < deadline, facts(cluster, workplace, job_id)
        time.sleep(0.3)
    # The second run may take its time, on whatever machine.
    call(cluster, workplace, "scontrol", "update", f"JobId={job_id}", "TimeLimit=30")
    log = finish(cluster, workplace, job_id)
    (job,) = facts(cluster, workplace, job_id)
    assert job["Restarts"] == "1"
    assert "stopped by SIGTERM" in log and "checkpoint: going on from" in log
    assert_same_training(result_of(log), one_process("ddp.py", 10))


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_checkpoint_chain(cluster, workplace, one_process):
    """All is killed in the third epoch: the successor trains on, and the next one never starts."""
    go = hold_third_checkpoint(workplace)
    first = submit(cluster, workplace, "checkpoint_chain")
    run = f"chain-{first}"
    wait_for_epoch(workplace, run, 3)
    call(cluster, workplace, "scancel", "--batch", "--full", "--signal=KILL", first)
    (ended,) = wait(cluster, workplace, first)
    go.touch()  # not before: the ranks could train to their end until the signal has come to them
    assert ended["JobState"] != "COMPLETED"
    second = (workplace / f"checkpoint_chain-{first}.out").read_text().split("Submitted batch job ")[1].split()[0]
    log = finish(cluster, workplace, second)
    assert "checkpoint: going on from" in log
    assert_same_training(result_of(log), one_process("ddp.py", 10))
    rows = [json.loads(line) for line in (workplace / "runs" / run / "metrics.jsonl").read_text().splitlines()]
    assert [row["epoch"] for row in rows] == list(range(1, 11))
