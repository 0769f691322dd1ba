"""The header of *Bring your own* is judged alike in the words of all three schedulers; what a run lost is named."""

import pytest

from workshop import exercise

HEADERS = {
    "sbatch": """\
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task={cores}
#SBATCH --gpus-per-node=1
#SBATCH --mem={memory}G
#SBATCH --time=00:{minutes}:00
""",
    "pbs": """\
#PBS -l select=1:ncpus={cores}:ngpus=1:mem={memory}gb
#PBS -l walltime=00:{minutes}:00
""",
    "lsf": """\
#BSUB -n {cores}
#BSUB -R "span[hosts=1]"
#BSUB -gpu "num=1"
#BSUB -R "rusage[mem={memory}GB]"
#BSUB -W 0:{minutes}
""",
}
RIGHT = {"cores": 4, "memory": 9, "minutes": 38}


def judge(tmp_path, ending: str, **changed: int) -> list[str]:
    script = tmp_path / f"mine.{ending}"
    script.write_text(f"#!/bin/bash\n{HEADERS[ending].format(**RIGHT | changed)}\npython train_job.py\n")
    return exercise.check("bring_your_own/your_header", script)


@pytest.mark.parametrize("ending", HEADERS)
def test_a_right_header_is_accepted(tmp_path, ending):
    assert judge(tmp_path, ending) == []


@pytest.mark.parametrize("ending", HEADERS)
@pytest.mark.parametrize(
    ("what", "value", "said"), [("cores", 2, "busy"), ("memory", 64, "much"), ("minutes", 20, "38")]
)
def test_one_wrong_number_is_named_alone(tmp_path, ending, what, value, said):
    (problem,) = judge(tmp_path, ending, **{what: value})
    assert said in problem


def test_a_total_that_a_run_lost_is_named(tmp_path):
    """The epoch is saved, and the total is not."""
    right = exercise.part("bring_your_own/ready_for_jobs", "solution").read_text()
    wrong = right.replace('total, start = saved["total"], saved["epoch"] + 1', 'start = saved["epoch"] + 1')
    assert wrong != right
    mine = tmp_path / "mine.py"
    mine.write_text(wrong)
    problems = exercise.check("bring_your_own/ready_for_jobs", mine)
    assert any("save the total" in problem for problem in problems)
