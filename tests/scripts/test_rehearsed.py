"""Scripts that rehearsals run byte for byte, in all three schedulers' forms: what each starts, and where.

A recorder stands in for the training programs (``recording.py``); shell, torchrun, mpirun and the schedulers' launchers
are real or the rehearsal's. Real trainings, one of each kind: test_rehearsed_trainings.py. On a real Slurm: console
sessions and test_slurm.py.
"""

import shutil
from pathlib import Path

import pytest
from job_training import RATES, SWEEP
from jobfiles import ENDINGS, path_of
from recording import IMAGES, Recorder, Stop, assert_world, environment_with, left_on

from workshop.rehearse import Rehearsal, rehearse

BOTH = pytest.mark.parametrize("scheduler", ["pbs", "lsf"])
ALL = pytest.mark.parametrize("scheduler", list(ENDINGS))
ENDED_WELL = {"pbs": "F", "lsf": "DONE", "slurm": "COMPLETED"}
TWO_NODES = {"node01": 2, "node02": 2}


def run(workplace, scheduler: str, stem: str, **options) -> Rehearsal:
    return rehearse(path_of(scheduler, stem), workdir=workplace, **options)


def assert_good(result: Rehearsal) -> None:
    assert (result.exit_code, result.timed_out) == (0, False), result.stdout
    assert result.state == ENDED_WELL[result.scheduler]
    for path in result.log_paths:
        assert path.is_file()


def only_launch(recorder: Recorder) -> list[dict]:
    (launch,) = recorder.launches()
    return launch


@ALL
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
def test_gpu_query(workplace, recorder, scheduler):
    result = run(workplace, scheduler, "gpu_query")
    assert_good(result)
    # PBS sets no CUDA_VISIBLE_DEVICES by itself (tests/records/pbs/07); LSF does.
    assert ("GPUs of this job: 0\n" in result.stdout) == (scheduler == "lsf")
    (record,) = only_launch(recorder)
    assert (record["program"], record["words"], Path(record["cwd"])) == ("launch.py", [], workplace)
    assert (record["launcher"], record["node"]) == ("none", "node01")


@ALL
def test_array_then_dependency(workplace, recorder, scheduler):
    too_early = run(workplace, scheduler, "dependency")
    assert too_early.exit_code != 0, "without the array's runs there is nothing to gather"

    result = run(workplace, scheduler, "array")
    assert_good(result)
    assert len(result.tasks) == len(set(result.log_paths)) == 4
    index = {"slurm": "SLURM_ARRAY_TASK_ID", "pbs": "PBS_ARRAY_INDEX", "lsf": "LSB_JOBINDEX"}[scheduler]
    started = sorted((int(r["variables"][index]), r["program"], r["words"], r["cwd"]) for r in recorder.records())
    assert started == [
        (number, "one_device.py", ["--epochs", "5", "--lr", rate, "--name", f"array-lr{rate}"], str(workplace))
        for number, rate in enumerate(RATES, start=1)
    ]
    assert {record["variables"]["OMP_NUM_THREADS"] for record in recorder.records()} == {"1"}

    gathered = run(workplace, scheduler, "dependency")
    assert_good(gathered)
    for rate in RATES:
        assert f"==> runs/array-lr{rate}/metrics.jsonl <==" in gathered.stdout
    assert (workplace / f"summary-{gathered.job_id}.txt").read_text() in gathered.stdout

    if scheduler == "pbs":  # there the job starts also where a task failed that did not end last
        (workplace / f"runs/array-lr{RATES[1]}/metrics.jsonl").write_text('{"epoch": 3, "loss": 1.0}\n')
        incomplete = run(workplace, scheduler, "dependency")
        assert incomplete.exit_code == 1
        assert f"not complete: runs/array-lr{RATES[1]}/metrics.jsonl" in incomplete.stdout


@ALL
def test_stage_data_without_its_data(workplace, scheduler):
    result = run(workplace, scheduler, "stage_data")
    assert result.exit_code != 0 and "data/digits.tar" in result.stdout


@ALL
def test_stage_data(workplace, recorder, digits, disk, scheduler):
    result = run(workplace, scheduler, "stage_data")
    assert_good(result)
    name = f"stage-{result.job_id}"
    (record,) = only_launch(recorder)
    work = Path(record["words"][-3]).parent
    assert work.parent == disk
    options = ["--epochs", "5", "--dataset", "folder", "--data-dir", f"{work}/digits", "--runs", f"{work}/runs"]
    assert (record["program"], record["words"]) == ("one_device.py", [*options, "--name", name])
    assert (record["data_files"], Path(record["cwd"])) == (IMAGES, workplace)
    assert (workplace / "runs" / name / "metrics.jsonl").is_file(), "the results came home"
    assert {path.name for path in workplace.iterdir() if path.is_dir()} == {"scripts", "data", "runs", ".venv"}
    assert left_on(disk) == []


@ALL
def test_stage_data_told_to_stop(workplace, recorder, digits, disk, scheduler):
    """TERM to the training and to the script's shell: what there is comes home, and the node's disk is left clean."""
    stop = Stop(recorder, 1, shells=True)
    stop.start()
    result = run(workplace, scheduler, "stage_data")
    stop.join()
    assert stop.hit >= 2
    assert result.exit_code != 0
    assert (workplace / "runs" / f"stage-{result.job_id}" / "config.json").is_file()
    assert left_on(disk) == []


@pytest.fixture
def packed(workplace) -> Path:
    """Shards in the workplace, for a recorder that only counts them."""
    folder = workplace / "data" / "shards"
    folder.mkdir(parents=True)
    for name in ("shard-00000.tar", "shard-00001.tar", "index.npz"):
        (folder / name).touch()
    return folder


@ALL
def test_feed_gpus_without_its_shards(workplace, recorder, disk, scheduler):
    result = run(workplace, scheduler, "feed_gpus")
    assert result.exit_code != 0 and "data/shards" in result.stdout
    assert (recorder.records(), left_on(disk)) == ([], [])


@ALL
def test_feed_gpus(workplace, recorder, packed, disk, scheduler):
    """The input is measured alone, then two ranks train: both from the node's disk, which is left clean."""
    result = run(workplace, scheduler, "feed_gpus")
    assert_good(result)
    (measured,), trained = recorder.launches()
    name, where = f"feed-{result.job_id}", measured["words"][measured["words"].index("--data-dir") + 1]
    assert Path(where).parents[1] == disk
    data = ["--dataset", "shards", "--data-dir", where, "--augment", "--image-size", "64"]
    workers = ["--workers", "1", "2", "4", "8", "--repeats", "1", "--out", f"runs/{name}-feed.json"]
    assert (measured["program"], measured["words"]) == ("measure_feed.py", [*data, *workers])
    assert_world(trained, {"node01": 2}, workplace)
    for record in trained:
        options = ["--decode", "cpu", "--epochs", "3", "--name", name]
        assert (record["program"], record["words"]) == ("ddp_fast.py", [*data, *options])
    assert {record["data_files"] for record in (measured, *trained)} == {2}
    assert {record["launcher"] for record in trained} == {"torchrun"}
    assert (workplace / "runs" / name / "metrics.jsonl").is_file()
    assert left_on(disk) == []


@ALL
def test_feed_gpus_told_to_stop_and_gone_on_with(workplace, recorder, packed, disk, scheduler, monkeypatch):
    """TERM to the ranks and the script's shell: the node's disk is left clean. A job with RUN has the run's name."""
    monkeypatch.setenv("RUN", "feed-of-yesterday")
    environment_with(workplace, RUN="feed-of-yesterday")  # as `qsub -v`: PBS starts jobs without this shell's variables
    stop = Stop(recorder, 1, shells=True)  # while the input is measured
    stop.start()
    result = run(workplace, scheduler, "feed_gpus")
    stop.join()
    assert stop.hit >= 2 and result.exit_code != 0
    assert {record["program"] for record in recorder.records()} == {"measure_feed.py"}
    assert left_on(disk) == []
    again = run(workplace, scheduler, "feed_gpus")
    assert_good(again)
    assert {record["words"][-1] for record in recorder.launches()[-1]} == {"feed-of-yesterday"}


@ALL
def test_project_sweep(workplace, recorder, digits, disk, scheduler):
    """Six tasks, each with its own pair of values, from its node's disk, which is left clean."""
    result = run(workplace, scheduler, "project_sweep")
    assert_good(result)
    assert len(result.tasks) == len(set(result.log_paths)) == 6
    records = recorder.records()
    for rate, size in SWEEP:
        (record,) = [r for r in records if f"sweep-lr{rate}-batch{size}" in r["words"]]
        data = record["words"][record["words"].index("--data-dir") + 1]
        assert disk in Path(data).parents
        options = ["--epochs", "5", "--lr", rate, "--batch-size", size, "--dataset", "folder", "--data-dir", data]
        name = f"sweep-lr{rate}-batch{size}"
        assert record["words"] == [*options, "--runs", "runs/.", "--name", name]
        assert (record["data_files"], Path(record["cwd"])) == (IMAGES, workplace)
        assert (workplace / "runs" / name / "metrics.jsonl").is_file()
    assert len(records) == 6
    assert left_on(disk) == []


@ALL
def test_project_train_without_its_data(workplace, recorder, scheduler):
    result = run(workplace, scheduler, "project_train")
    assert result.exit_code != 0 and "data/digits.tar" in result.stdout
    assert recorder.records() == []


@ALL
def test_project_train_told_to_stop(workplace, recorder, digits, disk, scheduler):
    """The first run goes back into the queue (PBS: a new job), the second one ends; both leave their disk clean."""
    stop = Stop(recorder, 2)
    stop.start()
    result = run(workplace, scheduler, "project_train", depth=2)
    stop.join()
    assert stop.hit == 2
    last = result
    if scheduler == "pbs":
        assert "Exit_status = 0" in result.exit_text
        (last,) = result.submitted
    else:
        assert result.restarts == 1
    assert_good(last)
    assert last.submitted == [], "a run that was not stopped is not continued"
    first, second = recorder.launches()
    for launch in (first, second):
        assert_world(launch, {"node01": 1, "node02": 1}, workplace)
        for record in launch:
            words = record["words"]
            options = ["--epochs", "10", "--lr", "0.05", "--batch-size", "64", "--dataset", "folder"]
            assert (record["program"], words[:8]) == ("ddp_resume.py", options)
            assert words[-4:] == ["--runs", "runs/.", "--name", f"train-{result.job_id}"], "the run goes on"
            assert record["data_files"] == IMAGES
            assert scheduler == "pbs" or disk in Path(words[words.index("--data-dir") + 1]).parents
    assert left_on(disk) == []


@BOTH
@pytest.mark.parametrize("stem", ["ddp_single_node", "ddp_multi_node_mpirun"])
def test_ddp(workplace, recorder, scheduler, stem, require):
    if stem.endswith("mpirun"):
        require("mpi")
    result = run(workplace, scheduler, stem)
    assert_good(result)
    launch = only_launch(recorder)
    assert_world(launch, {"node01": 2} if stem == "ddp_single_node" else TWO_NODES, workplace)
    assert_ddp(launch, f"ddp-{result.job_id}")
    assert {record["launcher"] for record in launch} == {"torchrun" if stem == "ddp_single_node" else "openmpi"}


def assert_ddp(launch: list[dict], name: str) -> None:
    for record in launch:
        assert (record["program"], record["words"]) == ("ddp.py", ["--epochs", "5", "--name", name])


@BOTH
def test_modules_ddp(workplace, recorder, scheduler, require, monkeypatch):
    """torchrun and torch come from the module, in PBS (which starts afresh) as in LSF (which passes all on)."""
    require("lmod")
    monkeypatch.setenv("PATH", "/usr/local/bin:/usr/bin:/bin")
    shutil.rmtree(workplace / ".venv")
    result = run(workplace, scheduler, "modules_ddp")
    assert_good(result)
    launch = only_launch(recorder)
    assert_world(launch, {"node01": 2}, workplace)
    assert_ddp(launch, f"modules-ddp-{result.job_id}")
    assert all("PyTorch/2.14.1" in record["variables"]["LOADEDMODULES"] for record in launch)


@pytest.mark.slow
@BOTH
@pytest.mark.parametrize("stem", ["ddp_single_node_apptainer", "ddp_multi_node_apptainer"])
def test_ddp_in_a_container(workplace_with_image, scheduler, stem):
    recorder = Recorder(workplace_with_image)
    result = run(workplace_with_image, scheduler, stem)
    assert_good(result)
    launch = only_launch(recorder)
    assert_world(launch, {"node01": 2} if "single" in stem else TWO_NODES, workplace_with_image)
    assert_ddp(launch, f"ddp-{result.job_id}")
    for record in launch:
        assert record["variables"]["APPTAINER_CONTAINER"].endswith(".sif"), "not this machine's own Python"


@pytest.mark.slow
@BOTH
def test_scaling(workplace, recorder, scheduler):
    result = run(workplace, scheduler, "scaling")
    assert_good(result)
    *measured, (table,) = recorder.launches()
    file = f"runs/scaling-{result.job_id}.json"
    for ranks, launch in zip((1, 2, 4), measured, strict=True):
        assert_world(launch, {"node01": ranks}, workplace)
        options = ["--dataset", "digits", "--batch-size", "64", "--seconds", "0.1", "--out", file]
        assert all((record["program"], record["words"]) == ("scaling.py", options) for record in launch)
    assert (table["program"], table["words"], table["launcher"]) == ("scaling.py", ["--table", file], "none")
