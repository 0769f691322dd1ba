"""The rehearsal against a real Slurm (the practice cluster): same variables in the batch script and in each task."""

import re
from pathlib import Path

import pytest
from printed_variables import variables

pytestmark = pytest.mark.needs_slurm

DIRECTIVES = [
    "--job-name=env", "--output=env-%j.out", "--partition=gpu", "--nodes=2", "--ntasks-per-node=2", "--cpus-per-task=1",
    "--gpus-per-node=2", "--mem=100M", "--time=1",
]  # fmt: skip
WANTED = "'^(SLURM|CUDA_|GPU_|ROCR_|ENVIRONMENT|HOSTNAME|TMPDIR)'"
BODY = (
    f"env | grep -E {WANTED} > batch.txt\n"
    f"srun bash -c 'env | grep -E {WANTED.replace(chr(39), chr(34))} > task-$SLURM_PROCID.txt'"
)
# Where the real cluster's files and account are; a rehearsal has none.
ONLY_REAL = {"SLURM_CONF", "SLURM_JOB_ACCOUNT", "SLURM_JOB_QOS"}
# Values that depend on the machine, the cluster or the moment.
VARY = re.compile(
    r"JOB_?ID|_PID|PORT|CLUSTER|SUBMIT|HOST$|IPADDR|TOPOLOGY_ADDR$|SLURMD_NODENAME|HOSTNAME|TMPDIR|UMASK|SLURM_JOB_[UG]ID|USER"
)


@pytest.fixture(scope="module")
def real(cluster, tmp_path_factory) -> Path:
    """The files that the job wrote under the real Slurm."""
    folder = tmp_path_factory.mktemp("real")
    script = folder / "env.sbatch"
    script.write_text("\n".join(["#!/bin/bash", *(f"#SBATCH {line}" for line in DIRECTIVES), "", BODY, ""]))
    done = cluster.run(
        ["sbatch", "--wait", script.name], cwd=folder, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def same_form(name: str, value: str) -> str:
    """One form for what differs in name only: gpu[1-2] and node[01-02] become N[1-2], GPUs 2,3 become 0,1."""
    if name.endswith(
        ("_GPUS", "_DEVICES", "_ORDINAL")
    ):  # which GPUs are free on the cluster is chance, how many is not
        return ",".join(map(str, range(len(value.split(",")))))
    return re.sub(
        r"\b(?:gpu|node)(\[?)0?(\d)(?:-0?(\d))?", lambda m: f"N{m[1]}{m[2]}" + (f"-{m[3]}" if m[3] else ""), value
    )


@pytest.mark.parametrize("file", ["batch.txt", "task-0.txt", "task-1.txt", "task-2.txt", "task-3.txt"])
def test_same_variables(job, work, real, file):
    job("slurm", DIRECTIVES, BODY)
    theirs, mine = variables((real / file).read_text()), variables((work / file).read_text())
    assert set(mine) == set(theirs) - ONLY_REAL
    for name in mine:
        if not VARY.search(name):
            assert same_form(name, mine[name]) == same_form(name, theirs[name]), name
    for name in ("SLURM_JOB_ID", "SLURM_TASK_PID"):
        assert re.fullmatch(r"\d+", mine[name]) and re.fullmatch(r"\d+", theirs[name])


def test_time_limit_as_on_slurm(job, real):
    """What the practice cluster reports for a job at its limit: TIMEOUT, and this sentence in the log."""
    result = job("slurm", ["--output=t-%j.out"], "sleep 100", walltime_s=1)
    assert result.state == "TIMEOUT"
    sentence = r"^slurmstepd: error: \*\*\* JOB \d+ ON node01 CANCELLED AT \S+ DUE TO TIME LIMIT \*\*\*$"
    assert re.search(sentence, result.stdout, re.MULTILINE)
