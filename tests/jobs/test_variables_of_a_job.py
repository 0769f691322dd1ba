"""What the rule about variables without their option claims, in jobs of a real Slurm."""

import re
import shlex
from concurrent.futures import ThreadPoolExecutor

import pytest

from workshop.jobs.dialects.slurm.rules_variables import CHANGED, NUMBER_OF_TASKS, ONLY_BESIDE, SET_BY

pytestmark = pytest.mark.needs_slurm

# A job with one GPU that gives none of the options, and for each variable the option that sets it.
BARE = "--partition=gpu --nodes=1 --gres=gpu:1"
GIVEN = {
    "SLURM_CPUS_PER_GPU": f"{BARE} --gpus=1 --cpus-per-gpu=1",
    "SLURM_CPUS_PER_TASK": f"{BARE} --cpus-per-task=1",
    "SLURM_GPUS": "--partition=gpu --nodes=1 --gpus=1",
    "SLURM_GPUS_PER_NODE": "--partition=gpu --nodes=1 --gpus-per-node=1",
    "SLURM_GPUS_PER_SOCKET": "--partition=gpu --nodes=1 --gpus-per-socket=1 --sockets-per-node=1",
    "SLURM_GPUS_PER_TASK": "--partition=gpu --nodes=1 --ntasks=1 --gpus-per-task=1",
    "SLURM_MEM_PER_CPU": f"{BARE} --mem-per-cpu=100",
    "SLURM_MEM_PER_GPU": "--partition=gpu --nodes=1 --gpus=1 --mem-per-gpu=100",
    "SLURM_MEM_PER_NODE": f"{BARE} --mem=100",
    "SLURM_NPROCS": f"{BARE} --ntasks-per-node=1",
    "SLURM_NTASKS": f"{BARE} --ntasks=1",
    "SLURM_NTASKS_PER_GPU": "--partition=gpu --gpus=1 --ntasks-per-gpu=1",
    "SLURM_NTASKS_PER_NODE": f"{BARE} --ntasks-per-node=1",
    "SLURM_NTASKS_PER_SOCKET": f"{BARE} --ntasks=1 --ntasks-per-socket=1",
}
SCRIPT = "#!/bin/bash\nexport -p\nsrun bash -c 'export -p' > step\n"


def variables(cluster, folder, options: str) -> tuple[set[str], set[str]]:
    """Slurm's variables in the batch shell and in a task of a job with these options."""
    folder.mkdir()
    (folder / "job.sh").write_text(SCRIPT)
    command = ["sbatch", "--wait", "--time=5", "--output=batch", *shlex.split(options), "job.sh"]
    told = cluster.run(command, cwd=folder, capture_output=True, text=True)
    assert told.returncode == 0, (options, told.stderr, (folder / "batch").read_text()[-500:])
    batch, step = (
        set(re.findall(r"^declare -x (SLURM_\w+)", (folder / name).read_text(), re.M)) for name in ("batch", "step")
    )
    return batch, step


@pytest.mark.slow
@pytest.mark.parametrize("which", ["cluster", pytest.param("newer_cluster", marks=pytest.mark.extensive)])
def test_a_job_has_a_variable_where_its_option_is_given_and_only_there(which, request, tmp_path):
    cluster = request.getfixturevalue(which)
    assert GIVEN.keys() == SET_BY.keys()
    newer = cluster.status().settings.slurm >= tuple(map(int, CHANGED.split(".")))
    asked = {"": BARE, **GIVEN}
    with ThreadPoolExecutor(len(asked)) as pool:
        jobs = [pool.submit(variables, cluster, tmp_path / (name or "bare"), told) for name, told in asked.items()]
        found = {name: job.result() for name, job in zip(asked, jobs, strict=True)}
    bare, in_the_bare_step = found.pop("")
    # The site's default sets an amount of memory.
    assert not bare & (SET_BY.keys() - ONLY_BESIDE.keys()) and "SLURM_GPUS_ON_NODE" in bare
    assert in_the_bare_step >= set(NUMBER_OF_TASKS)
    lacking = {name for name, (batch, _) in found.items() if name not in batch}
    assert lacking == ({"SLURM_GPUS_PER_TASK"} if newer else set())
    assert "SLURM_MEM_PER_NODE" not in found["SLURM_MEM_PER_CPU"][0]
    assert "SLURM_MEM_PER_CPU" not in found["SLURM_MEM_PER_NODE"][0]
