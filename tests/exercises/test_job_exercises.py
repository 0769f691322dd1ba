"""Exercises on job scripts: right answers in other forms pass, wrong ones are told what is wrong."""

import pytest

from workshop.exercise import check, part


def changed(name: str, *pairs: tuple[str, str]) -> str:
    """The solution of exercise ``name`` with some words replaced."""
    text = part(name, "solution").read_text()
    for old, new in pairs:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


LAUNCH = 'mpiexec -n 4 python train.py --master "$master:$port"'
TRANSLATIONS = {
    "mpirun": ([(LAUNCH, "mpirun -np 4 python train.py --master=$master:$port")], None),
    "ranks by the scheduler": ([(LAUNCH, LAUNCH.replace(" -n 4", ""))], None),
    "hostname": ([('$(head -n 1 "$PBS_NODEFILE")', "$(hostname)")], None),
    "read": ([('master=$(head -n 1 "$PBS_NODEFILE")', 'read -r master < "$PBS_NODEFILE"')], None),
    "one rank": ([(LAUNCH, LAUNCH.replace("-n 4", "-n 1"))], "starts 1 rank"),
    "no launcher": ([(LAUNCH, LAUNCH.replace("mpiexec -n 4 ", ""))], "plain python runs once"),
    "last node": ([("head -n 1", "tail -n 1")], "The master is 'node02'"),
    "fixed port": ([("$((20000 + ${PBS_JOBID%%[!0-9]*} % 10000))", "29500")], "same for every job"),
    "server's name in the number": ([("${PBS_JOBID%%[!0-9]*}", "PBS_JOBID")], "exit code 1"),
    "port too high": ([("20000", "90000")], "is no port"),
}


@pytest.mark.parametrize("case", TRANSLATIONS)
def test_finish_translation(case, tmp_path):
    pairs, words = TRANSLATIONS[case]
    path = tmp_path / "mine.pbs"
    path.write_text(changed("job_scripts/finish_translation", *pairs))
    problems = check("job_scripts/finish_translation", path)
    assert len(problems) == (words is not None), problems
    assert words is None or words in problems[0]


def test_finish_translation_names_a_missing_launch(tmp_path):
    path = tmp_path / "mine.pbs"
    path.write_text(changed("job_scripts/finish_translation", ("mpiexec", "true mpiexec")))
    assert check("job_scripts/finish_translation", path) == ["No command starts train.py."]


@pytest.mark.parametrize(
    ("memory", "accepted"), [("--mem-per-cpu=3840M", True), ("--mem-per-gpu=7680M", True), ("--mem=60G", False)]
)
def test_fit_cluster_adds_memory_up(memory, accepted, tmp_path):
    path = tmp_path / "mine.sbatch"
    path.write_text(changed("job_scripts/fit_cluster", ("--mem=30G", memory)))
    assert (check("job_scripts/fit_cluster", path) == []) is accepted


def test_mend_request_takes_the_log_by_its_name(tmp_path):
    path = tmp_path / "mine.sbatch"
    path.write_text(changed("job_scripts/mend_request", ("%x-%j.out", "train-%j.out")))
    assert check("job_scripts/mend_request", path) == []
    path.write_text(changed("job_scripts/mend_request", ("%x-%j.out", "train.out")))
    assert check("job_scripts/mend_request", path) == ["The job does not ask for the log train-ID.out (%x-%j.out)."]


INSIDE = "'RANK=$SLURM_PROCID LOCAL_RANK=$SLURM_LOCALID exec python train.py'"
RANKS = {
    "escaped": ([(INSIDE, INSIDE.replace("'", '"').replace("$", r"\$"))], None),
    "world size inside": ([(" WORLD_SIZE=$SLURM_NTASKS\n", "\n"), ("'RANK", "'WORLD_SIZE=$SLURM_NTASKS RANK")], None),
    "too early again": ([(INSIDE, INSIDE.replace("'", '"'))], "expanded by the batch shell"),
    "the wrong variable": ([("RANK=$SLURM_PROCID", "RANK=$SLURM_NODEID")], "values of RANK: 0, 0, 0, 0, 1, 1, 1, 1"),
    "no local rank": ([(" LOCAL_RANK=$SLURM_LOCALID", "")], "values of LOCAL_RANK: none"),
    "no world size": ([(" WORLD_SIZE=$SLURM_NTASKS\n", "\n")], "WORLD_SIZE should be 8"),
    "each its own host": ([("'RANK", "'MASTER_ADDR=$SLURMD_NODENAME RANK")], "the nodes never meet"),
    "fewer tasks": ([('--cpus-per-task="', '--ntasks=4 --cpus-per-task="')], "started 4 time(s)"),
    "smaller request": ([("--nodes=2", "--nodes=1")], "Keep the request"),
}


@pytest.mark.parametrize("case", RANKS)
def test_mend_ranks(case, tmp_path):
    pairs, words = RANKS[case]
    path = tmp_path / "mine.sbatch"
    path.write_text(changed("job_scripts/mend_ranks", *pairs))
    problems = check("job_scripts/mend_ranks", path)
    assert (problems == []) is (words is None), problems
    assert words is None or words in problems[0]


TRAININGS = {
    "number of hosts": ([('"${#nodes[@]}"', "2")], None),
    "mpirun": ([('blaunch -z "${nodes[*]}"', 'mpirun --hostfile "$LSB_DJOB_HOSTFILE" --map-by ppr:1:node')], None),
    "loopback": ([("${nodes[0]}", "localhost")], "the nodes never meet"),
    "fixed port": ([("$((20000 + LSB_JOBID % 10000))", "29500")], "The port 29500 is the same"),
    "fixed id": ([('"$LSB_JOBID" --rdzv', "train --rdzv")], "Two jobs use the same --rdzv-id"),
    "one host": ([('"${#nodes[@]}"', "1")], "2 separate trainings"),
    "three hosts": ([('"${#nodes[@]}"', "3")], "--nnodes says 3 nodes"),
    "fewer slots": ([("-n 8", "-n 4")], "The request has changed"),
}


@pytest.mark.parametrize("case", TRAININGS)
def test_one_training(case, tmp_path):
    pairs, words = TRAININGS[case]
    path = tmp_path / "mine.lsf"
    path.write_text(changed("job_scripts/one_training", *pairs))
    problems = check("job_scripts/one_training", path)
    assert (problems == []) is (words is None), problems
    assert words is None or words in problems[0]


def test_right_size_names_a_missing_unit(tmp_path):
    path = tmp_path / "mine.lsf"
    path.write_text('#!/bin/bash\n#BSUB -n 1\n#BSUB -R "rusage[mem=6000]"\n#BSUB -W 0:50\n\npython fit.py\n')
    (problem,) = check("jobs_in_depth/right_size", path)
    assert "no unit" in problem


def test_heed_the_warning_names_a_missing_wait(tmp_path):
    path = tmp_path / "mine.sbatch"
    path.write_text(changed("jobs_in_depth/heed_the_warning", ("\nwait\n", "\n")))
    (problem,) = check("jobs_in_depth/heed_the_warning", path)
    assert "wait for the training" in problem
