"""The other programs, and what holds for all: help texts, differences between stages, refusals."""

import argparse
import difflib
import importlib
import json
import os
import re
import sys
import warnings
from pathlib import Path

import gpu_query
import make_photos
import make_shards
import measure_stages
import pytest
import torch

import data
import metrics
from train_running import TRAIN, clean_environment

PROGRAMS = sorted(path.name for path in TRAIN.glob("*.py") if '__name__ == "__main__"' in path.read_text())
STAGES = ["one_device.py", "data_parallel.py", "ddp.py", "ddp_resume.py", "ddp_fast.py"]


def test_readme_names_every_file():
    readme = (TRAIN / "README.md").read_text()
    for path in TRAIN.glob("*.py"):
        assert f"`{path.name}`" in readme
    for name in re.findall(r"`(\w+\.py)`", readme):
        assert (TRAIN / name).exists()


# All in one process, since two of them import large frameworks.
HELP = """
import contextlib, io, json, runpy, sys
sys.path.insert(0, {train!r})
texts = {{}}
for name in {programs!r}:
    sys.argv = [name, "--help"]
    with contextlib.suppress(SystemExit), contextlib.redirect_stdout(io.StringIO()) as out:
        runpy.run_path({train!r} + "/" + name, run_name="__main__")
    texts[name] = out.getvalue()
print(json.dumps(texts))
"""


def test_help_of_every_program_reads_well(train, tmp_path):
    (tmp_path / "help.py").write_text(HELP.format(train=str(TRAIN), programs=PROGRAMS))
    done = train(tmp_path / "help.py", env=clean_environment(COLUMNS="100"))
    assert done.status == 0, done.err
    for name, text in json.loads(done.out).items():
        if name == "gpu_query.py":
            continue  # it has no options, and shows the GPUs
        assert text.startswith("usage: ") and "options:" in text, name
        for option in re.findall(r"^  (--[\w-]+)", text, re.MULTILINE):
            after = text.split(f"  {option}", 1)[1].split("\n  -", 1)[0]
            assert len(after.split()) >= 2, f"{name}: {option} has no explanation"


@pytest.mark.parametrize(
    ("before", "after", "at_most"),
    [("one_device.py", "data_parallel.py", 20), ("one_device.py", "ddp.py", 60), ("ddp.py", "ddp_resume.py", 110),
     ("ddp_resume.py", "ddp_fast.py", 120)],
)  # fmt: skip
def test_neighbors_differ_by_what_the_chapter_teaches(before, after, at_most):
    old, new = ((TRAIN / name).read_text().splitlines() for name in (before, after))
    changed = [line for line in difflib.unified_diff(old, new, n=0) if re.match(r"[+-](?![+-])", line)]
    assert 0 < len(changed) <= at_most


@pytest.mark.parametrize("program", ["ddp.py", "profile_step.py", "with_accelerate.py"])
def test_a_batch_that_cannot_be_shared_is_refused(train, program):
    done = train(program, "--batch-size", 63, ranks=2)
    assert done.status != 0 and "--batch-size 63 is not a multiple of 2 processes" in done.err


@pytest.mark.parametrize("stage", [name.removesuffix(".py") for name in STAGES])
@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("--epochs 0", "argument --epochs: 0 is too small: at least 1"),
        ("--batch-size 2.5", "argument --batch-size: '2.5' is no whole number"),
        ("--workers -1", "argument --workers: -1 is too small: at least 0"),
        ("--lr nan", "argument --lr: nan is no number above 0"),
        ("--dropout 1", "argument --dropout: 1 is no probability below 1"),
    ],
)
def test_a_bad_number_is_refused_in_one_line(monkeypatch, capsys, stage, words, why):
    monkeypatch.setattr("sys.argv", [stage, *words.split()])
    with pytest.raises(SystemExit, match="2"):
        importlib.import_module(stage).parse_arguments()
    assert capsys.readouterr().err.splitlines()[-1].endswith(f"error: {why}")


CORES = """
import os, feed, launch
me, _ = launch.init(60)
print(f"rank {me.rank}: {feed.cores_of_this_rank()}")
if me.rank:
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
print(f"rank {me.rank}: {feed.cores_of_this_rank()}")
launch.finish()
"""


def test_ranks_share_the_cores_that_they_have_in_common(train, tmp_path):
    """torchrun's ranks may all use the job's cores; srun gives each task its own, here rank 1 its only one."""
    (tmp_path / "cores.py").write_text(CORES)
    done = train(tmp_path / "cores.py", ranks=2)
    cores = len(os.sched_getaffinity(0))
    half, alone = max(1, cores // 2), (cores if cores > 1 else max(1, cores // 2))
    assert sorted(done.lines) == sorted([f"rank {rank}: {half}" for rank in (0, 1)] + [f"rank 0: {alone}", "rank 1: 1"])


def test_the_clock_counts_steps_after_the_warm_up(monkeypatch):
    """Ten steps of a second each, then thirty of a tenth."""
    now, clock = [0.0], metrics.StepClock(torch.device("cpu"))
    monkeypatch.setattr("time.perf_counter", lambda: now[0])
    for step in clock.steps_of(range(40)):
        now[0] += 1.0 if step < clock.WARM_UP else 0.1
    assert clock.step_ms() == pytest.approx(100)
    assert list(clock.steps_of(range(29))) and clock.step_ms() is None, "too few steps for a number"


def test_gpu_query(train):
    done = train("gpu_query.py", env=clean_environment(CUDA_VISIBLE_DEVICES="0,1"))
    assert done.status == 0 and "CUDA_VISIBLE_DEVICES=0,1" in done.lines
    assert done.lines[-1].startswith("no GPU is visible: CUDA_VISIBLE_DEVICES=0,1, but ")


def test_gpu_query_shows_what_amd_and_intel_are_told(train):
    shown = {"ROCR_VISIBLE_DEVICES": "2,3", "ZE_AFFINITY_MASK": "0.1"}
    done = train("gpu_query.py", env=clean_environment(**shown))
    assert done.status == 0 and {f"{name}={value}" for name, value in shown.items()} <= set(done.lines)
    assert "CUDA_VISIBLE_DEVICES=(not set)" in done.lines and f"built for {gpu_query.built_for()}" in done.lines[0]
    assert "ROCR_VISIBLE_DEVICES=2,3, but this PyTorch was built without ROCm" in done.lines[-1]


@pytest.mark.parametrize(
    ("built", "files", "said"),
    [
        ("CUDA 13.0", [], "no /dev/nvidia"),
        ("CUDA 13.0", ["kfd"], "build for ROCm"),
        ("CUDA 13.0", ["nvidiactl"], "asked for no GPU"),
        ("CUDA 13.0", ["nvidiactl", "nvidia0"], "driver is too old"),
        ("ROCm 7.1", [], "without --rocm"),
        ("ROCm 7.1", ["kfd", "nvidiactl"], "AMD's driver is here"),
        ("CPUs", ["nvidiactl"], "built for CPUs"),
        ("Intel's XPU", [], "Intel's GPUs"),
    ],
)
def test_gpu_query_tells_why_from_the_device_files(tmp_path, built, files, said):
    for name in files:
        (tmp_path / name).touch()
    assert said in gpu_query.reason(built, tmp_path)


def test_layernorm_benchmark(train):
    done = train("layernorm_benchmark.py", "--rows", 64, "--features", 64, "--seconds", 0.05, "--no-compile")
    assert done.status == 0 and done.err == ""
    times = dict(word.split("=") for word in done.lines[-1].removeprefix("result: ").split())
    assert list(times) == ["by_hand_us", "F.layer_norm_us"] and all(float(time) > 0 for time in times.values())
    assert all(float(difference) < 1e-5 for difference in re.findall(r"precision (\S+)", done.out))


def test_layernorm_benchmark_without_a_compiler(train):
    env = clean_environment(CXX="no-such-compiler")
    done = train("layernorm_benchmark.py", "--rows", 64, "--features", 64, "--seconds", 0.05, env=env)
    assert done.status == 0 and done.lines[0] == "compiled: left out, no C++ compiler (no-such-compiler)"


def test_profile_step(train, tmp_path):
    done = train("profile_step.py", "--steps", 5, ranks=2)
    assert done.status == 0 and done.err == "", done.err
    assert done.result["all_reduce_ms"] > 0 and 0 <= done.result["waiting_share"] < 1
    trace = json.loads((tmp_path / "runs" / "profile" / "trace.json").read_text())
    names = {event.get("name", "") for event in trace["traceEvents"]}
    assert "gloo:all_reduce" in names and any("convolution_backward" in name for name in names)


@pytest.mark.parametrize("ranks", [0, 2])
def test_three_steps_of_a_training_in_a_trace(train, tmp_path, ranks):
    done = train("ddp_fast.py", "--epochs", 2, "--samples", 512, "--profile-at", 4, ranks=ranks)
    assert done.status == 0, done.err
    trace = tmp_path / "runs" / "ddp_fast" / "trace-4.json"
    assert done.lines.count(f"trace of 3 steps: {trace.relative_to(tmp_path)}") == 1, "rank 0 alone writes"
    events = json.loads(trace.read_text())["traceEvents"]
    steps = {event["name"] for event in events if event.get("name", "").startswith("ProfilerStep#")}
    assert steps == {"ProfilerStep#4", "ProfilerStep#5", "ProfilerStep#6"}
    updates = [event for event in events if event.get("name") == "Optimizer.step#SGD.step"]
    assert len(updates) == 3
    assert [path.name for path in trace.parent.glob("trace*")] == ["trace-4.json"]


def test_a_training_too_short_for_its_trace_says_so(train, tmp_path):
    done = train("ddp_fast.py", "--epochs", 1, "--samples", 512, "--profile-at", 5)
    assert done.status == 0 and done.lines[-1] == "no trace: the training ended after 7 steps, before step 8"
    assert not list((tmp_path / "runs" / "ddp_fast").glob("trace*"))


def test_bare_loop(train):
    done = train("bare_loop.py", "--batch-size", 8, "--steps", 20, ranks=2)
    assert done.status == 0, done.err
    rate, milliseconds = done.result["steady_images_per_s"], done.result["step_ms"]
    assert rate == pytest.approx(1e3 * 16 / milliseconds, rel=0.05), "of both ranks together"
    done = train("bare_loop.py", "--samples", 100)
    assert done.status == 1 and "bare_loop: it trains on one batch, which lies in memory: no --samples" in done.err


def test_a_program_without_a_step_has_no_waits_to_count(monkeypatch):
    """ "0 waits" would sound like praise."""
    import find_waits

    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr("sys.argv", ["find_waits.py", "node_report.py"])
    monkeypatch.setattr(metrics, "StepClock", metrics.StepClock)  # put back afterwards
    with (
        warnings.catch_warnings(),
        pytest.raises(SystemExit, match=r"no step was watched: node_report\.py must have epochs of more than 10 steps"),
    ):
        find_waits.main()


def test_records_of_long_epochs_have_the_steady_rate(tmp_path):
    run = metrics.Run(argparse.Namespace(runs=str(tmp_path), name="a", epochs=2, dataset="digits"))
    for epoch, steps in enumerate((29, 30)):
        assert list(run.bar(range(steps), epoch)) == list(range(steps))
        run.epoch(epoch, 4 * steps, 1.0, {})
    short, long = map(json.loads, (tmp_path / "a" / "metrics.jsonl").read_text().splitlines())
    assert "steady_images_per_s" not in short and long["steady_images_per_s"] > long["images_per_s"] == 120
    run.result()


def test_stages_are_measured_in_the_order_in_which_they_are_named():
    known = list(measure_stages.stages(1))
    names = ["bare loop, compiled", "JPEGs, decoded on the GPU", "+ torch.compile"]
    args = argparse.Namespace(gpus=1, steps=40, epochs=2, only=names, shards=Path("packed"), trial=False)
    assert list(measure_stages.chosen(args)) == names
    argv = measure_stages.command(measure_stages.chosen(args)[names[1]], args, Path("runs"))
    assert argv[argv.index("--data-dir") + 1] == "packed" and "synthetic" not in argv
    assert int(argv[argv.index("--samples") + 1]) * data.TRAIN_FRACTION == 40 * measure_stages.BATCH_PER_GPU
    args.only, args.shards = None, None
    assert list(measure_stages.chosen(args)) == [name for name in known if not name.startswith("JPEGs")]
    for args.only, message in ((["none"], "no stage"), (names, "say where the JPEGs are")):
        with pytest.raises(SystemExit, match=message):
            measure_stages.chosen(args)


@pytest.mark.extensive
def test_stages_are_measured_without_a_gpu_within_the_time_of_all(monkeypatch, tmp_path, capsys):
    """--trial: each stage of one and of two GPUs whose program, input or options differ."""
    monkeypatch.chdir(tmp_path)
    make_photos.write(Path("photos"), 320)
    make_shards.write(Path("photos"), Path("packed"), 320)
    one = (
        "bare loop, compiled",
        "+ torch.compile",
        "JPEGs, decoded on the GPU, CUDA graphs",
        "JPEGs, decoded by workers",
    )
    for gpus, names in (1, one), (2, ("data_parallel", "ddp", "bare loop")):
        words = ("--trial", "--gpus", str(gpus), "--steps", "30", "--epochs", "1", "--timeout", "300")
        out = ("--shards", "packed", "--out", f"{gpus}.json", "--only", *names)
        monkeypatch.setattr(sys, "argv", ["measure_stages.py", *words, *out])
        measure_stages.main()
        found = json.loads(Path(f"{gpus}.json").read_text())["stages"]
        assert list(found) == list(names)
        assert not {
            name: numbers for name, numbers in found.items() if not numbers.get("seconds") or "failed" in numbers
        }
    monkeypatch.setattr(sys, "argv", [*sys.argv, "--seconds", "1"])
    capsys.readouterr()
    measure_stages.main()
    assert capsys.readouterr().out.count("left out, 1 s are left") == 3


def test_resnet50_takes_a_step_under_ddp_with_synthetic_images(train):
    options = ("--model", "resnet50", "--dataset", "synthetic", "--samples", 48, "--image-size", 32)
    done = train("ddp.py", *options, "--batch-size", 16, "--epochs", 1, ranks=2)
    assert done.status == 0, done.err
    assert done.lines[1].startswith("dataset=synthetic (random images")
    assert done.result["train_loss"] > 0 and done.result["epochs"] == 1
