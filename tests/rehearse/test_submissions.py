"""Jobs that a script submits: rehearsed after it, one level deep, if their dependency allows."""

import pytest

CHILD = {
    "slurm": ("#SBATCH --output=child-%j.out", "sbatch {options} child.sh", "Submitted batch job {id}"),
    "pbs": ("#PBS -j oe", "cd $PBS_O_WORKDIR; qsub {options} child.sh", "{id}.head"),
    "lsf": ("#BSUB -o child-%J.out", "bsub {options} < child.sh", "Job <{id}> is submitted to default queue <normal>."),
}
DEPEND = {
    "slurm": ("--dependency=afterok:$SLURM_JOB_ID", "--dependency=afternotok:$SLURM_JOB_ID"),
    "pbs": ("-W depend=afterok:$PBS_JOBID", "-W depend=afternotok:$PBS_JOBID"),
    "lsf": ('-w "done($LSB_JOBID)"', '-w "exit($LSB_JOBID)"'),
}
SCHEDULERS = pytest.mark.parametrize("scheduler", ["slurm", "pbs", "lsf"])


def child(work, scheduler: str, body: str) -> None:
    (work / "child.sh").write_text(f"#!/bin/bash\n{CHILD[scheduler][0]}\n\n{body}\n")


@SCHEDULERS
def test_child_runs_after_its_parent(job, work, scheduler):
    child(work, scheduler, "echo child")
    result = job(scheduler, [], CHILD[scheduler][1].format(options="") + "\necho changed > child.sh\necho parent")
    (second,) = result.submitted
    number = second.job_id.split(".")[0]
    assert result.stdout == CHILD[scheduler][2].format(id=number) + "\nparent\n"
    assert second.stdout == "child\n", "the script is kept as it was at submission"
    assert int(number) > int(result.job_id.split(".")[0])


@SCHEDULERS
@pytest.mark.parametrize("parent_status", [0, 1])
@pytest.mark.parametrize("kind", [0, 1])
def test_dependency(job, work, scheduler, parent_status, kind):
    child(work, scheduler, "echo child")
    result = job(scheduler, [], CHILD[scheduler][1].format(options=DEPEND[scheduler][kind]) + f"\nexit {parent_status}")
    started = result.submitted[0].state != "NOT STARTED"
    assert started == (kind == parent_status)


def test_variables_are_handed_on(job, work):
    child(work, "pbs", 'echo "A=${A-unset} B=${B-unset}"')
    result = job("pbs", [], "cd $PBS_O_WORKDIR; export B=2; qsub -v A=1 child.sh")
    assert result.submitted[0].stdout == "A=1 B=unset\n"


@SCHEDULERS
def test_one_level_deep(job, work, scheduler):
    child(work, scheduler, CHILD[scheduler][1].format(options=""))
    result = job(scheduler, [], CHILD[scheduler][1].format(options=""))
    (second,) = result.submitted
    (third,) = second.submitted
    assert third.state == "NOT REHEARSED" and "that deep" in third.notes[0]


def test_waiting_is_refused_plainly(job, work):
    child(work, "slurm", "true")
    result = job("slurm", [], "sbatch --wait child.sh; echo rc=$?")
    assert "waiting for a submitted job is not rehearsed" in result.stdout and result.stdout.endswith("rc=1\n")


def test_missing_script(job):
    assert "nosuchfile" in job("slurm", [], "sbatch nosuchfile; echo rc=$?").stdout
