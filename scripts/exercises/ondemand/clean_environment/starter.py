"""The environment for a job that is submitted from a notebook in a session."""


def clean(environment: dict[str, str]) -> dict[str, str]:
    """A copy of ``environment`` that carries nothing of the session's job to a new one."""
    return {name: value for name, value in environment.items() if name != "SLURM_JOB_ID"}


# In a notebook: subprocess.run(["sbatch", "train.sbatch"], env=clean(os.environ))
