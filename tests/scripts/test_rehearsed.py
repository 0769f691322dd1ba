"""Every script of scripts/pbs and scripts/lsf, byte for byte in a rehearsal, reaches what its Slurm sibling reaches."""

import signal

import pytest
from job_results import assert_same_training, assert_scaling, result_of
from job_training import SWEEP, Disturbance, StopStaged, learning_rates, swept, write_digits
from jobfiles import path_of

from workshop.rehearse import Rehearsal, rehearse

BOTH = pytest.mark.parametrize("scheduler", ["pbs", "lsf"])
ENDED_WELL = {"pbs": "F", "lsf": "DONE", "slurm": "COMPLETED"}
ARRAY = {"array-lr0.1": 0.1, "array-lr0.03": 0.03, "array-lr0.01": 0.01, "array-lr0.003": 0.003}


def run(workplace, scheduler: str, stem: str, **options) -> Rehearsal:
    return rehearse(path_of(scheduler, stem), workdir=workplace, **options)


def assert_good(result: Rehearsal) -> None:
    assert (result.exit_code, result.timed_out) == (0, False), result.stdout
    assert result.state == ENDED_WELL[result.scheduler]
    for path in result.log_paths:
        assert path.is_file()


@pytest.mark.parametrize("scheduler", ["slurm", "pbs", "lsf"])
def test_hello(workplace, scheduler, monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    result = run(workplace, scheduler, "hello")
    assert_good(result)
    told = dict(line.split(":", 1) for line in result.stdout.splitlines())
    told = {name: value.strip() for name, value in told.items()}
    start = tmp_path if scheduler == "pbs" else workplace
    assert told == {
        "job": result.job_id,
        "node": "node01",
        "started in": str(start),
        "submitted from": str(workplace),
        "cores": "2",
    }


@BOTH
def test_gpu_query(workplace, scheduler):
    result = run(workplace, scheduler, "gpu_query")
    assert_good(result)
    # PBS sets no CUDA_VISIBLE_DEVICES by itself (tests/records/pbs/07); LSF does.
    assert ("GPUs of this job: 0\n" in result.stdout) == (scheduler == "lsf")
    assert "all-reduce" in result.stdout and ": ok" in result.stdout


@BOTH
def test_array_then_dependency(workplace, scheduler):
    too_early = run(workplace, scheduler, "dependency")
    assert too_early.exit_code != 0, "without the array's runs there is nothing to gather"

    result = run(workplace, scheduler, "array")
    assert_good(result)
    assert len(result.tasks) == len(set(result.log_paths)) == 4
    assert learning_rates(workplace) == ARRAY
    for task in result.tasks:
        assert result_of(task.stdout)["epochs"] == 5

    gathered = run(workplace, scheduler, "dependency")
    assert_good(gathered)
    for name in ARRAY:
        assert f"==> runs/{name}/metrics.jsonl <==" in gathered.stdout
    assert (workplace / f"summary-{gathered.job_id}.txt").read_text() in gathered.stdout


@BOTH
def test_stage_data(workplace, scheduler, one_process):
    too_early = run(workplace, scheduler, "stage_data")
    assert too_early.exit_code != 0 and "data/digits.tar" in too_early.stdout, "there is no archive yet"

    write_digits(workplace)
    result = run(workplace, scheduler, "stage_data")
    assert_good(result)
    assert (workplace / "runs" / f"stage-{result.job_id}" / "metrics.jsonl").is_file()
    assert_same_training(result_of(result.stdout), one_process("one_device.py", 5))
    assert {path.name for path in workplace.iterdir() if path.is_dir()} == {"scripts", "data", "runs", ".venv"}


@pytest.mark.parametrize("scheduler", ["slurm", "pbs", "lsf"])
def test_stage_data_told_to_stop(workplace, scheduler, tmp_path, monkeypatch):
    """TERM to the training and to the script's shell: what there is comes home, and the node's disk is left clean."""
    disk = tmp_path / "disk"
    disk.mkdir()
    monkeypatch.setenv("TMPDIR", str(disk))
    write_digits(workplace)
    stop = StopStaged(workplace)
    stop.start()
    result = run(workplace, scheduler, "stage_data")
    stop.join()
    assert stop.hit >= 2
    assert result.exit_code != 0 and "result:" not in result.stdout
    assert (workplace / "runs" / f"stage-{result.job_id}" / "config.json").is_file()
    assert list(disk.rglob("stage.*")) == []


@BOTH
def test_project_sweep(workplace, scheduler, tmp_path, monkeypatch):
    """Six tasks, each with its own pair of values, from its node's disk, which is left clean."""
    disk = tmp_path / "disk"
    disk.mkdir()
    monkeypatch.setenv("TMPDIR", str(disk))
    write_digits(workplace)
    result = run(workplace, scheduler, "project_sweep")
    assert_good(result)
    assert len(result.tasks) == len(set(result.log_paths)) == 6
    assert swept(workplace / "runs") == SWEEP
    assert list(disk.rglob("sweep.*")) == []


@BOTH
def test_project_train(workplace, scheduler, one_process, tmp_path, monkeypatch):
    disk = tmp_path / "disk"
    disk.mkdir()
    monkeypatch.setenv("TMPDIR", str(disk))
    write_digits(workplace)
    result = run(workplace, scheduler, "project_train")
    assert_good(result)
    assert "world_size=2 " in result.stdout
    assert (workplace / "runs" / f"train-{result.job_id}" / "checkpoints").is_dir()
    assert_same_training(result_of(result.stdout), one_process("ddp.py", 10))
    assert list(disk.rglob("train-*")) == []


@BOTH
def test_project_train_without_its_data(workplace, scheduler):
    result = run(workplace, scheduler, "project_train")
    assert result.exit_code != 0 and "data/digits.tar" in result.stdout


@BOTH
@pytest.mark.parametrize("stem", ["ddp_single_node", "ddp_multi_node", "ddp_multi_node_mpirun"])
def test_ddp(workplace, scheduler, stem, one_process):
    result = run(workplace, scheduler, stem)
    assert_good(result)
    ranks = 2 if stem == "ddp_single_node" else 4
    assert f"world_size={ranks} " in result.stdout
    assert_same_training(result_of(result.stdout), one_process("ddp.py", 5))


@BOTH
def test_modules_ddp(workplace, scheduler, one_process, require, monkeypatch):
    """torchrun and torch come from the module, in PBS (which starts afresh) as in LSF (which passes all on)."""
    require("lmod")
    monkeypatch.setenv("PATH", "/usr/local/bin:/usr/bin:/bin")
    result = run(workplace, scheduler, "modules_ddp")
    assert_good(result)
    assert "world_size=2 " in result.stdout
    assert_same_training(result_of(result.stdout), one_process("ddp.py", 5))


@BOTH
@pytest.mark.parametrize("stem", ["ddp_single_node_apptainer", "ddp_multi_node_apptainer"])
def test_ddp_in_a_container(workplace_with_image, scheduler, stem, one_process):
    result = run(workplace_with_image, scheduler, stem)
    assert_good(result)
    assert f"world_size={2 if 'single' in stem else 4} " in result.stdout
    assert_same_training(result_of(result.stdout), one_process("ddp.py", 5))


@BOTH
def test_scaling(workplace, scheduler):
    result = run(workplace, scheduler, "scaling")
    assert_good(result)
    assert_scaling(result.stdout, workplace / "runs" / f"scaling-{result.job_id}.json")


@pytest.mark.slow
@pytest.mark.timeout(900)
@BOTH
@pytest.mark.parametrize(("stem", "prefix"), [("requeue", "requeue-"), ("project_train", "train-")])
def test_requeue(workplace, scheduler, one_process, stem, prefix):
    """Told to stop after two epochs, the job goes back into the queue (PBS: a new job) and trains on."""
    write_digits(workplace)
    stop = Disturbance(workplace, prefix, signal.SIGTERM, all_ranks=True)
    stop.start()
    result = run(workplace, scheduler, stem)
    stop.join()
    assert stop.hit == 2
    last = result.submitted[0] if scheduler == "pbs" else result
    if scheduler == "pbs":
        assert "Exit_status" in result.exit_text and len(result.submitted) == 1
    else:
        assert result.restarts == 1
    assert_good(last)
    assert "checkpoint: going on from" in last.stdout
    assert_same_training(result_of(last.stdout), one_process("ddp.py", 10))


@pytest.mark.slow
@pytest.mark.timeout(900)
@BOTH
def test_checkpoint_chain(workplace, scheduler, one_process):
    """A rank is killed after two epochs: the job fails, its successor trains on; the next one is not needed."""
    crash = Disturbance(workplace, "chain-", signal.SIGKILL, all_ranks=False)
    crash.start()
    result = run(workplace, scheduler, "checkpoint_chain", depth=3)
    crash.join()
    assert crash.hit == 1
    assert result.exit_code != 0
    second = result.submitted[0]
    assert_good(second)
    assert "checkpoint: going on from" in second.stdout
    assert_same_training(result_of(second.stdout), one_process("ddp.py", 10))
    assert [job.state for job in second.submitted] == ["NOT STARTED"]
