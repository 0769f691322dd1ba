"""The rehearsal's srun against a real one: the same cores and tasks on the same nodes, the same warnings and refusals.

One job a header runs all steps, in Slurm and in the rehearsal; each task writes who it is.
"""

import re

import pytest

pytestmark = pytest.mark.needs_slurm

# What a task says of itself; sorted, since tasks run side by side.
TASK = (
    "echo task $SLURM_PROCID on $SLURM_NODEID as $SLURM_LOCALID of $SLURM_NTASKS, nodes $SLURM_NNODES"
    " $SLURM_TASKS_PER_NODE, each ${SLURM_NTASKS_PER_NODE-unset}, cores ${SLURM_CPUS_PER_TASK-unset}"
    " $SLURM_DISTRIBUTION, of the node $SLURM_CPUS_ON_NODE"
)
STEPS = [
    "", "--ntasks-per-node=1", "--tasks-per-node=2", "--ntasks-per-node=8", "-n 1", "-n 2", "-n 3", "-n 4", "-n 9",
    "-n 16", "-n 1 -N 2", "-n 3 -N 2", "-N 1", "-N 2", "-N 3", "-N 1 -n 2", "-N1-2 -n 2", "-N1-2",
    "-N 1 --ntasks-per-node=2", "-N 2 --ntasks-per-node=2", "-n 2 --ntasks-per-node=1", "-n 3 --ntasks-per-node=2",
    "-n 4 --ntasks-per-node=1", "-n 4 --ntasks-per-node=2", "-c 2", "-c 2 -n 2", "-c 2 -n 4", "-c 2 -n 5",
    "-O -N1 -n 8", "-m cyclic", "-m cyclic -n 3",
]  # fmt: skip
NODES_NAMED = [
    "-w {1} -n 1",
    "-w {1}",
    "-w {0} -n 2 -N 2",
    "-w {1} -N 1 -n 1",
    "-x {0}",
    "-x {0} -N 1 -n 1",
    "-r 1 -N 1 -n 1",
]
HEADERS = [
    ["--nodes=2", "--ntasks-per-node=4", "--cpus-per-task=1"],
    ["--nodes=2"],
    ["--nodes=2", "--cpus-per-task=4"],
    ["--nodes=1", "--ntasks-per-node=4"],
    ["--ntasks=4"],
    [],
]


# In `make test` the steps that people write, in the job of eight tasks; all of them in all jobs in `make test-all`.
USUAL = [
    "", "--ntasks-per-node=1", "-n 2 --ntasks-per-node=1", "-n 1", "-n 3 -N 2", "-N 1", "-N 1 -n 2", "-c 2", "-w {1}",
]  # fmt: skip
# Jobs whose header says how many tasks there are in all, and not how many on each node.
IN_ALL = [
    ["--nodes=2", "--ntasks=7"],
    ["--nodes=2", "--ntasks=8", "--cpus-per-task=2"],
    ["--nodes=2", "--ntasks=8", "--exclusive"],
    ["--nodes=2", "--ntasks=8", "--ntasks-per-node=6"],
    ["--nodes=2", "--ntasks=6", "--ntasks-per-node=4", "--cpus-per-task=2"],
    ["--ntasks=7", "--ntasks-per-node=4"],
    ["--nodes=2", "--ntasks=16"],
]
CASES = [
    pytest.param(HEADERS[0], USUAL, marks=pytest.mark.slow, id="usual steps"),
    pytest.param(["--nodes=2", "--ntasks=8"], ["", "-n 3"], marks=pytest.mark.slow, id="tasks in all"),
    *(pytest.param(header, USUAL, marks=pytest.mark.extensive, id=" ".join(header)) for header in IN_ALL),
    *(
        pytest.param(
            header,
            [*STEPS, *NODES_NAMED] if "--nodes=2" in header else STEPS,
            marks=pytest.mark.extensive,
            id=" ".join(header) or "no options",
        )
        for header in HEADERS
    ),
]


def body(steps: list[str]) -> str:
    told = "echo job: $SLURM_TASKS_PER_NODE, cores $SLURM_JOB_CPUS_PER_NODE, ${SLURM_NTASKS-unset} tasks"
    lines = ['names=($(scontrol show hostnames "$SLURM_JOB_NODELIST"))', "echo 'STEP none'", told]
    for step in steps:
        words = re.sub(r"\{(\d)\}", r"${names[\1]}", step)
        lines += [f"echo 'STEP srun {step}'", f"srun {words} bash -c '{TASK}'; echo exit $?"]
    return "\n".join(lines)


# A step that follows another one may have to wait until that is cleared away, or not: both are right.
WAITED = re.compile(r"srun: (Step created for |Job \d+ step creation (temporarily|still) disabled)")


def told(log: str) -> dict[str, list[str]]:
    """Step -> what it printed, without the job's number and the names of nodes; that a step had to wait is left out."""
    found: dict[str, list[str]] = {}
    for line in log.splitlines():
        if line.startswith("STEP "):
            rows = found.setdefault(line, [])
        elif not WAITED.match(line):
            rows.append(re.sub(r"\bjob \d+", "job ID", line))
    return {step: sorted(rows) for step, rows in found.items()}


def test_whether_a_step_had_to_wait_does_not_count():
    log = "STEP srun -n 1\nsrun: Job 7 step creation temporarily disabled, retrying (Requested nodes are busy)\n"
    log += "srun: Job 7 step creation still disabled, retrying (Requested nodes are busy)\n"
    log += "srun: Step created for StepId=7.1\ntask 0\nsrun: error: Unable to create step for job 7: x\n"
    assert told(log) == {"STEP srun -n 1": ["srun: error: Unable to create step for job ID: x", "task 0"]}


@pytest.mark.parametrize(("header", "steps"), CASES)
def test_the_same_tasks_warnings_and_refusals(header, steps, job, work, cluster, tmp_path, say):
    script = tmp_path / "steps.sbatch"
    head = [f"#SBATCH {one}" for one in [*header, "--partition=cpu", "--output=real.log", "--time=30"]]
    script.write_text("\n".join(["#!/bin/bash", *head, "", body(steps), ""]))
    done = cluster.run(["sbatch", "--wait", script], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    real = told((tmp_path / "real.log").read_text())
    mine = told(job("slurm", [*header, "--time=30"], body(steps)).stdout)
    assert len(real) == len(steps) + 1
    assert {step: mine.get(step) for step in real if mine.get(step) != real[step]} == {
        step: real[step] for step in real if mine.get(step) != real[step]
    }
    say(f"srun: {len(real)} steps of a job with {' '.join(header) or 'no options'} as in a real Slurm")
