"""``launch.py`` where real launchers start it: srun and mpirun in Slurm, python in a batch script, a notebook."""

import shlex
import subprocess
import sys
import time
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from workshop.cluster import Cluster
from workshop.paths import REPO
from workshop.rehearse import rehearse

LAUNCH = REPO / "scripts" / "train" / "launch.py"
# Open MPI refuses root without these; tests in a container are often root's.
ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMP_NUM_THREADS": "1"}
HERE = f"{shlex.quote(sys.executable)} {shlex.quote(str(LAUNCH))}"
FOUR_RANKS = "all-reduce of 1 … 4: 10, expected 10: ok"


def in_a_job(cluster: Cluster, folder: Path, line: str, *options: str) -> str:
    """The log of a batch job that runs ``line``; it must succeed within two minutes."""
    script = folder / "job.sbatch"
    script.write_text(f"#!/bin/bash\nset -euo pipefail\n{line}\n")
    words = ["sbatch", "--wait", "--output=job.log", "--time=5", *options, script.name]
    started = time.monotonic()
    done = cluster.run(words, cwd=folder, env=ROOT, capture_output=True, text=True, timeout=280)
    log = (folder / "job.log").read_text()
    assert done.returncode == 0, done.stderr + log
    print(f"{line}: {time.monotonic() - started:.0f} s")
    return log


@pytest.mark.needs_slurm
@pytest.mark.parametrize(
    ("line", "launcher"),
    [
        (f"srun {HERE}", "slurm"),
        # Inside mpirun's ranks SLURM_PROCID is the number of mpirun's own helper: it must not be believed.
        (
            f"export MASTER_ADDR=$(hostname) MASTER_PORT=$((20000 + SLURM_JOB_ID % 10000))\n"
            f"mpirun --map-by ppr:2:node -x MASTER_ADDR -x MASTER_PORT {HERE}",
            "openmpi",
        ),
    ],
    ids=["srun", "mpirun"],
)
def test_two_nodes_of_two_ranks(cluster, require, tmp_path, line, launcher):
    require("mpi")
    log = in_a_job(cluster, tmp_path, line, "--nodes=2", "--ntasks-per-node=2")
    assert f"launcher:     {launcher}" in log
    assert FOUR_RANKS in log


@pytest.mark.needs_slurm
def test_plain_python_in_a_batch_script_is_one_process_and_says_so(cluster, tmp_path):
    """SLURM_NTASKS=4 and SLURM_PROCID=0 are set there, but nobody started four processes: waiting would be forever."""
    log = in_a_job(cluster, tmp_path, HERE, "--ntasks=4")
    assert "launcher:     none" in log
    assert "all-reduce of 1 … 1: 1, expected 1: ok" in log
    assert "srun" in log


@pytest.mark.needs_mpi
def test_mpirun_with_a_pbs_node_file(require, tmp_path):
    """Two chunks of two MPI processes, rehearsed: mpirun is the real one, the node file is PBS's."""
    require("mpi")
    script = tmp_path / "job.pbs"
    script.write_text(
        "#!/bin/bash\n#PBS -l select=2:ncpus=2:mpiprocs=2\n#PBS -l place=scatter\n#PBS -l walltime=00:05:00\n"
        '#PBS -j oe\n\nset -euo pipefail\nMASTER_ADDR=$(head -n 1 "$PBS_NODEFILE")\n'
        "MASTER_PORT=$((20000 + ${PBS_JOBID%%[!0-9]*} % 10000))\nexport MASTER_ADDR MASTER_PORT\n"
        f'mpirun --hostfile "$PBS_NODEFILE" --map-by ppr:2:node -x MASTER_ADDR -x MASTER_PORT {HERE}\n'
    )
    result = rehearse(script, workdir=tmp_path)
    assert result.exit_code == 0, result.stdout
    assert "launcher:     openmpi" in result.stdout
    assert FOUR_RANKS in result.stdout


def test_in_a_notebook_it_is_one_process(tmp_path):
    code = f"import sys; sys.path.insert(0, {str(LAUNCH.parent)!r})\nimport launch\nprint(launch.detect().launcher)"
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code)])
    NotebookClient(notebook, timeout=60, kernel_name="python3").execute(stderr=subprocess.DEVNULL)
    assert notebook.cells[0].outputs[0].text == "none\n"
