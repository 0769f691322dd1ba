"""Entry of every stand-in: ``python main.py STATE COMMAND [ARGUMENT ...]``, called by the small files in ``STATE/bin``.

Runs without site-packages, so that a stand-in starts in a few hundredths of a second; standard library only.
"""

import sys
from pathlib import Path

# Only names that the small files in STATE/bin use: a command, and the module that plays it.
COMMANDS = {
    "srun": "slurm_side",
    "scontrol": "slurm_side",
    "pbsdsh": "pbs_side",
    "pbs_tmrsh": "pbs_side",
    "blaunch": "lsf_side",
    "jsrun": "lsf_side",
    "brequeue": "lsf_side",
    "mpirun": "mpi_side",
    "mpiexec": "mpi_side",
    "ssh": "mpi_side",
    "sbatch": "submit_side",
    "qsub": "submit_side",
    "bsub": "submit_side",
    "hostname": "refuse_side",
}


def main() -> int:
    """Play the command; the return value is its exit status."""
    from tasks import Job

    job = Job(Path(sys.argv[1]))
    command, arguments = sys.argv[2], sys.argv[3:]
    side = __import__(COMMANDS.get(command, "refuse_side"))
    return side.play(job, command, arguments)


if __name__ == "__main__":
    sys.exit(main())
