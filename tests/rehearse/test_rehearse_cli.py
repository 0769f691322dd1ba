"""``workshop rehearse``: what a reader sees, and the status that a shell sees."""

import subprocess
import sys

import pytest

from workshop.paths import REPO
from workshop.rehearse.counter import FIRST_ID


def workshop(*words: str, cwd) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-m", "workshop", "rehearse", *words], cwd=cwd, capture_output=True, text=True, check=False
    )


def test_says_what_it_does(home, work):
    done = workshop(str(REPO / "scripts/pbs/hello.pbs"), cwd=work)
    assert done.returncode == 0, done.stderr
    for part in (
        "Rehearsal of hello.pbs as a PBS job. No scheduler takes part.",
        "It asks for: 1 node, 1 task(s) a node, 2 core(s) a node, 0 GPU(s) a node, ",
        "memory 500 MiB per node, walltime 0:05:00\n",
        "Not imitated: queueing and priority, memory limits",
        f"Job {FIRST_ID}.head starts in {home}",
        f"job:            {FIRST_ID}.head",
        "Exit_status = 0",
        f"Logs: {work}/hello.o{FIRST_ID}",
    ):
        assert part in done.stdout, done.stdout


def test_exit_status_is_the_jobs(home, work):
    (work / "bad.sh").write_text("#!/bin/bash\n#SBATCH --nodes=1\n\nexit 5\n")
    assert workshop("bad.sh", cwd=work).returncode == 5
    (work / "long.sh").write_text("#!/bin/bash\n#PBS -N long\n\nsleep 50\n")
    assert workshop("--walltime", "0:01", "--delays", "0.1", "long.sh", cwd=work).returncode == (-29) % 256


def test_arguments_and_options_of_the_script(home, work):
    (work / "args.sh").write_text('#!/bin/bash\n#SBATCH --nodes=1\n\necho "got $*"\n')
    assert "got --epochs 3 x\n" in workshop("args.sh", "--epochs", "3", "x", cwd=work).stdout


def test_plain_messages(home, work):
    done = workshop("nosuch.sh", cwd=work)
    assert done.returncode == 2 and "does not exist" in done.stderr
    (work / "args.pbs").write_text("#!/bin/bash\n#PBS -N a\n\ntrue\n")
    done = workshop("args.pbs", "one", cwd=work)
    assert done.returncode == 1 and "qsub takes no arguments" in done.stderr
    done = workshop("--walltime", "soon", "args.pbs", cwd=work)
    assert done.returncode == 2 and "write seconds, MM:SS or H:MM:SS" in done.stderr


def test_names_what_cannot_be_rehearsed(home, work):
    (work / "m.sh").write_text("#!/bin/bash\n#SBATCH --nodes=1\n\nmodule load cuda || echo no modules\nsqueue\ntrue\n")
    out = workshop("m.sh", cwd=work).stdout
    assert "Cannot be rehearsed: 'squeue' asks a scheduler" in out


REFUSED = {
    "array.pbs": ('#PBS -J "a[0-3]"', "PBS would refuse this script", "line 2: illegal -J value"),
    "time.sbatch": ("#SBATCH --time=1h", "Slurm would refuse this script", "line 2: "),
    "name.lsf": ("#BSUB -n four", "LSF would refuse this script", "line 2: "),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_script_that_its_scheduler_would_refuse_does_not_start(home, work, name):
    line, *told = REFUSED[name]
    (work / name).write_text(f"#!/bin/bash\n{line}\n\necho it ran\n")
    done = workshop(name, cwd=work)
    assert done.returncode == 1
    assert "it ran" not in done.stdout
    for words in (*told, f"workshop check {name}", "--force"):
        assert words in done.stderr


def test_force_rehearses_it_all_the_same(home, work):
    (work / "array.pbs").write_text('#!/bin/bash\n#PBS -J "a[0-3]"\n\necho it ran\n')
    done = workshop("--force", "array.pbs", cwd=work)
    assert done.returncode == 0
    assert "error, line 2: illegal -J value" in done.stdout and "it ran" in done.stdout


def test_a_job_that_a_job_submits_is_refused_too(home, work):
    (work / "second.sbatch").write_text("#!/bin/bash\n#SBATCH --time=1h\n\necho it ran\n")
    (work / "first.sbatch").write_text("#!/bin/bash\n#SBATCH --time=5\n\nsbatch second.sbatch\n")
    out = workshop("first.sbatch", cwd=work).stdout
    assert "Slurm would refuse this script" in out and "it ran" not in out


def test_torque_s_word_for_gpus_is_no_gpu_of_pbs(home, work):
    """Without a resource of that name PBS refuses it; with one, only the site knows what it is."""
    (work / "gpus.pbs").write_text("#!/bin/bash\n#PBS -l select=1:ncpus=1:gpus=1\n\ntrue\n")
    out = workshop("gpus.pbs", cwd=work).stdout
    assert "0 GPU(s) a node" in out and "'gpus' is Torque's word" in out
