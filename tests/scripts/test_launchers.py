"""``launch.py`` where real launchers start it: srun in Slurm, python in a batch script, a notebook."""

import re
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from workshop.book import kernels
from workshop.cluster import Cluster
from workshop.paths import REPO

LAUNCH = REPO / "scripts" / "train" / "launch.py"
# mpirun refuses root unless told twice.
QUIET = {"OMP_NUM_THREADS": "1", "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
HERE = f"{shlex.quote(sys.executable)} {shlex.quote(str(LAUNCH))}"


def in_a_job(cluster: Cluster, folder: Path, line: str, *options: str) -> str:
    """The log of a batch job that runs ``line``; it must succeed within two minutes."""
    script = folder / "job.sbatch"
    script.write_text(f"#!/bin/bash\nset -euo pipefail\n{line}\n")
    words = ["sbatch", "--wait", "--output=job.log", "--time=5", *options, script.name]
    started = time.monotonic()
    done = cluster.run(words, cwd=folder, env=QUIET, capture_output=True, text=True, timeout=280)
    log = (folder / "job.log").read_text()
    assert done.returncode == 0, done.stderr + log
    print(f"{line}: {time.monotonic() - started:.0f} s")
    return log


@pytest.mark.needs_slurm
def test_two_nodes_of_two_ranks(cluster, tmp_path):
    """With srun. Ranks of mpirun: ddp_multi_node_mpirun, in test_slurm.py and test_rehearsed.py."""
    log = in_a_job(cluster, tmp_path, f"srun {HERE}", "--nodes=2", "--ntasks-per-node=2")
    assert "launcher:     slurm" in log
    assert "all-reduce of 1 … 4: 10, expected 10: ok" in log


@pytest.mark.needs_slurm
def test_plain_python_in_a_batch_script_is_one_process_and_says_so(cluster, tmp_path):
    """SLURM_NTASKS=4 and SLURM_PROCID=0 are set there, but nobody started four processes: waiting would be forever."""
    log = in_a_job(cluster, tmp_path, HERE, "--ntasks=4")
    assert "launcher:     none" in log
    assert "all-reduce of 1 … 1: 1, expected 1: ok" in log
    assert "srun" in log


@pytest.mark.slow
@pytest.mark.needs_slurm
@pytest.mark.needs_mpi
@pytest.mark.parametrize("launcher", ["srun --overlap", "mpirun --oversubscribe -np 2"])
def test_two_launches_in_one_job_never_meet(cluster, require, tmp_path, launcher):
    """Started crosswise: without a port and a namespace for each, ranks of both would make one world."""
    require("mpi")
    program = shlex.join([sys.executable, str(Path(__file__).with_name("own_world.py"))])
    both = (
        f"{launcher} {program} first & first=$!\n"
        # Two mpiruns at the same moment make the same folder, and one of them fails.
        'while [[ ! -e "first 0" ]] && kill -0 $first; do sleep 0.1; done\n'
        f"{launcher} {program} second\nwait $first"
    )
    log = in_a_job(cluster, tmp_path, both, "--ntasks=2")
    worlds = sorted(re.findall(r"my world: (\w+) 0 at (\d+), \1 1 at \2\n", log))
    assert [name for name, _ in worlds] == ["first", "second"], log
    assert worlds[0][1] != worlds[1][1], log


def test_in_a_notebook_it_is_one_process():
    code = f"import sys; sys.path.insert(0, {str(LAUNCH.parent)!r})\nimport launch\nprint(launch.detect().launcher)"
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code)])
    with tempfile.TemporaryDirectory() as folder:
        files = {"kernel_manager_class": kernels.Manager, "config": kernels.in_folder(folder)}  # in place of ports
        NotebookClient(notebook, timeout=250, kernel_name="python3", **files).execute(stderr=subprocess.DEVNULL)
    assert notebook.cells[0].outputs[0].text == "none\n"
