"""profile_ranks.py: where ranks lose time. Kernels are sorted by hand here: a CPU has none."""

import json

import kernel_times
import pytest

MS = 1_000_000  # ns


def test_spans_that_touch_or_overlap_become_one():
    assert kernel_times.covered([(5, 7), (0, 2), (1, 4), (4, 5), (9, 10), (2, 3)]) == [(0, 7), (9, 10)]
    assert kernel_times.covered([]) == [] and kernel_times.length([(0, 7), (9, 10)]) == 8


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)", "nccl"),
        ("Memcpy DtoD (Device -> Device)", "memory"),
        ("Memset (Device)", "memory"),
        ("triton_poi_fused_add_copy__65", "computing"),
        ("void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>", "computing"),
    ],
)
def test_kinds_of_kernels(name: str, kind: str):
    assert kernel_times.kind_of(name) == kind


def test_what_of_nccl_nothing_hides():
    """Two steps of 10 ms: NCCL from 4 to 8, of which a kernel hides 4 to 6 and a copy 6 to 7; then 2 ms of nothing."""
    events = []
    for start in (0, 10 * MS):
        events += [("gemm", start, start + 6 * MS), ("ncclAllReduce", start + 4 * MS, start + 8 * MS)]
        events += [("Memcpy DtoD", start + 6 * MS, start + 7 * MS)]
    events += [("gemm", 19 * MS, 20 * MS)]
    row = kernel_times.of_a_step(events, 2)
    assert {key: row[key] for key in ("computing_ms", "nccl_ms", "memory_ms")} == {
        "computing_ms": 6.5, "nccl_ms": 4, "memory_ms": 1
    }  # fmt: skip
    assert (row["only_nccl_ms"], row["idle_ms"], row["profiled_step_ms"]) == (1, 1.5, 10)
    assert (row["nccl_kernels"], row["memory_kernels"]) == (1, 1)
    assert list(row["longest"].items()) == [("gemm", [2, 6.5]), ("ncclAllReduce", [1, 4]), ("Memcpy DtoD", [1, 1])]


def test_a_row_names_a_dozen_kernels():
    events = [(f"kernel {number}", 100 * number, 101 * number) for number in range(1, 30)]
    assert list(kernel_times.of_a_step(events, 1)["longest"]) == [f"kernel {number}" for number in range(29, 17, -1)]
    with pytest.raises(ValueError, match="saw no kernels"):
        kernel_times.of_a_step([], 1)


def test_rows_are_added_and_other_results_refused(train, tmp_path):
    out = tmp_path / "new" / "gap.json"
    words = ("profile_ranks.py", "--trial", "--steps", 20, "--repeats", 1, "--out", out, "--ways")
    done = train(*words, "alone", "half", "--name", "mine", ranks=2)
    assert done.status == 0, done.err
    first = json.loads(out.read_text())
    assert list(first["stages"]) == ["alone, 2, mine", "half, 2, mine"]
    for row in first["stages"].values():
        assert row["step_ms"] > 0 and row["images_per_s"] == pytest.approx(8e3 / row["step_ms"], rel=0.01)
        assert len(row["other_ranks"]) == 1 and row["other_ranks"][0]["host_ms"] > 0
    done = train(*words, "alone")
    assert done.status == 0, done.err
    record = json.loads(out.read_text())
    assert list(record["stages"]) == [*first["stages"], "alone, 1"]
    assert [first["stages"][name] for name in first["stages"]] == list(record["stages"].values())[:2]
    one, two = record["command"].split("; ")[::-1]
    assert "--nproc-per-node 2 scripts/train/profile_ranks.py --trial" in two and "--nproc-per-node 1 " in one
    out.write_text('{"setting": {"model": "resnet50"}}')
    done = train(*words, "alone")
    assert done.status and done.err.strip() == f"profile_ranks: {out} has other results; name another file with --out"
    assert out.read_text() == '{"setting": {"model": "resnet50"}}'


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--ways", "fast"), "argument --ways: invalid choice: 'fast'"),
        (("--steps", 5), "argument --steps: 5 is too small: at least 20"),
        ((), "profile_ranks: no GPU is visible; --trial runs without one"),
    ],
)
def test_bad_options_get_one_line(words, message, train):
    done = train("profile_ranks.py", *words, "--out", "out.json")
    assert done.status and message in done.err.splitlines()[-1] and "Traceback" not in done.err


@pytest.mark.slow
def test_every_way_runs(train, tmp_path):
    done = train("profile_ranks.py", "--trial", "--steps", 20, "--repeats", 1, "--out", "all.json", ranks=2)
    assert done.status == 0, done.err
    assert len(json.loads((tmp_path / "all.json").read_text())["stages"]) == 7
