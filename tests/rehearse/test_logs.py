"""Where the output goes, for each scheduler (names as recorded in tests/records/pbs/02 and lsf/01)."""

from pathlib import Path

import pytest

OUT = "echo out; echo err >&2"


def names(work) -> set[str]:
    return {
        str(path.relative_to(work))
        for path in work.rglob("*")
        if path.is_file() and path.name not in ("job.sh", "hello.sh")
    }


@pytest.mark.parametrize(
    ("directives", "expected"),
    [
        ([], {"hello.sh.o{n}": "out\n", "hello.sh.e{n}": "err\n"}),
        (["-N joe", "-j oe"], {"joe.o{n}": "out\nerr\n"}),
        (["-N jeo", "-j eo"], {"jeo.e{n}": "out\nerr\n"}),
        (["-N oex", "-o logs/", "-e logs/"], {"logs/{n}.head.OU": "out\n", "logs/{n}.head.ER": "err\n"}),
        (["-N oexn", "-o logs"], {"logs/{n}.head.OU": "out\n", "oexn.e{n}": "err\n"}),
        (["-N ojl", "-j oe", "-o out.$PBS_JOBID"], {"out.$PBS_JOBID": "out\nerr\n"}),
        (["-N opct", "-j oe", "-o out.%j"], {"out.%j": "out\nerr\n"}),
    ],
)
def test_pbs_names(job, work, directives, expected):
    (work / "logs").mkdir()
    result = job("pbs", directives, OUT, name="hello.sh")
    number = result.job_id.split(".")[0]
    expected = {name.format(n=number) if "{n}" in name else name: text for name, text in expected.items()}
    assert names(work) == set(expected) == {str(path.relative_to(work)) for path in result.log_paths}
    for name, text in expected.items():
        assert (work / name).read_text() == text


def test_pbs_missing_folder_is_told(job, work):
    result = job("pbs", ["-N ofm", "-o nodir/out.txt", "-j oe"], OUT)
    assert result.exit_code == 0, "PBS itself reports success"
    assert "undelivered" in result.notes[0] and not (work / "nodir").exists()


def test_pbs_array_pattern(job, work):
    job("pbs", ["-J 1-2", "-N arro", "-o log.^array_index^", "-j oe"], OUT)
    assert names(work) == {"log.1", "log.2"}


def test_pbs_takes_no_arguments(job):
    from workshop.rehearse import CannotRehearse

    with pytest.raises(CannotRehearse, match="takes no arguments"):
        job("pbs", [], OUT, args=["one"])


def test_slurm_names(job, work):
    result = job("slurm", ["--job-name=n", "--output=%x-%j-%N.out", "--error=%x.%u.err"], OUT)
    assert names(work) == {f"n-{result.job_id}-node01.out", result.log_paths[1].name}
    assert (work / f"n-{result.job_id}-node01.out").read_text() == "out\n"


def test_slurm_default_name(job, work):
    result = job("slurm", [], OUT)
    assert names(work) == {f"slurm-{result.job_id}.out"}


def test_slurm_open_mode(job, work):
    (work / "log").write_text("before\n")
    job("slurm", ["--output=log", "--open-mode=append"], "echo after")
    assert (work / "log").read_text() == "before\nafter\n"
    job("slurm", ["--output=log"], "echo new")
    assert (work / "log").read_text() == "new\n"


def test_slurm_missing_folder_fails_the_job(job, work):
    result = job("slurm", ["--output=nodir/%j.out"], OUT)
    assert result.state == "FAILED" and "does not exist" in result.notes[0]


def test_slurm_arguments(job):
    assert job("slurm", [], 'echo "$#:$1"', args=["two words"]).stdout == "1:two words\n"


def test_slurm_refuses_a_file_without_shebang(job):
    from workshop.rehearse import CannotRehearse

    with pytest.raises(CannotRehearse, match="does not look like a batch script"):
        job("slurm", [], OUT, shebang="")


@pytest.mark.parametrize("scheduler", ["slurm", "pbs"])
def test_a_file_from_windows_is_refused(job, scheduler):
    """As sbatch and qsub do (session first_job_refused, records/pbs/05); LSF takes it (test_shown_records.py)."""
    from workshop.rehearse import CannotRehearse

    with pytest.raises(CannotRehearse, match=r"contains (cr, lf|DOS line breaks)"):
        job(scheduler, [], "echo hi\r")


def test_slurm_array_ids(job, work):
    """Each task is a job of its own; the last one has the number of the array."""
    result = job(
        "slurm",
        ["--array=2,4", "--output=a-%A_%a.out"],
        'echo "$SLURM_ARRAY_JOB_ID $SLURM_ARRAY_TASK_ID $SLURM_JOB_ID $SLURM_ARRAY_TASK_COUNT"',
    )
    assert names(work) == {f"a-{result.job_id}_2.out", f"a-{result.job_id}_4.out"}
    words = [task.stdout.split() for task in result.tasks]
    assert [w[:2] for w in words] == [[result.job_id, "2"], [result.job_id, "4"]]
    assert words[1][2] == result.job_id != words[0][2] and words[0][3] == "2"


def test_lsf_appends(job, work):
    for _ in range(2):
        job("lsf", ["-J same", "-o same.out"], "echo hi")
    assert (work / "same.out").read_text().count("Sender: LSF System") == 2


def test_lsf_folder(job, work):
    (work / "logs").mkdir()
    result = job("lsf", ["-o logs/"], "echo hi")
    assert names(work) == {f"logs/{result.job_id}.out"}


def test_lsf_index_is_zero_outside_arrays(job, work):
    result = job("lsf", ["-o o.%J.%I"], "echo hi")
    assert names(work) == {f"o.{result.job_id}.0"}


def test_lsf_lost_output_is_told(job, work):
    assert "mails the output" in job("lsf", [], "echo hi").notes[0]
    assert "loses its output" in job("lsf", ["-o nodir/o.%J"], "echo hi").notes[0]
    assert names(work) == set()


def test_lsf_overwrites(job, work):
    for _ in range(2):
        job("lsf", ["-J same", "-oo same.out"], "echo hi")
    assert (work / "same.out").read_text().count("Sender: LSF System") == 1


@pytest.mark.parametrize(
    ("scheduler", "option"), [("slurm", "--output=/dev/null"), ("pbs", "-o /dev/null"), ("lsf", "-o /dev/null")]
)
def test_dev_null_stays_what_it_is(job, scheduler, option):
    before = Path("/dev/null").stat().st_mode
    result = job(scheduler, [option, *(["-j oe"] if scheduler == "pbs" else [])], "echo hi")
    assert (result.exit_code, result.stdout) == (0, "hi\n")
    assert Path("/dev/null").stat().st_mode == before
    assert Path("/dev/null") not in result.log_paths
