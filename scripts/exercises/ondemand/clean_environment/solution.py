"""The environment for a job that is submitted from a notebook in a session."""

PREFIXES = ("SLURM_", "SBATCH_", "SRUN_")


def clean(environment: dict[str, str]) -> dict[str, str]:
    """A copy of ``environment`` that carries nothing of the session's job to a new one."""
    return {
        name: value
        for name, value in environment.items()
        if name == "SLURM_CONF" or not name.startswith(PREFIXES)  # SLURM_CONF says where Slurm is
    }


# In a notebook: subprocess.run(["sbatch", "train.sbatch"], env=clean(os.environ))
