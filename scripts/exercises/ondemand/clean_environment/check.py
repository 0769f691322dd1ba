"""Give ``clean`` the environment of a session, and look at what comes back."""

import importlib.util
from pathlib import Path

KEPT = {
    "PATH": "/usr/bin", "HOME": "/home/ada", "PYTHONPATH": "scripts", "VIRTUAL_ENV": "/home/ada/.venv",
    "MY_SLURM_NOTES": "mine", "DATA": "SLURM_JOB_ID",
}  # fmt: skip
CONF = {"SLURM_CONF": "/etc/slurm/slurm.conf"}
MEMORY = {"SLURM_MEM_PER_NODE": "500", "SLURM_MEM_PER_CPU": "500", "SLURM_MEM_PER_GPU": "500"}
RANK = {"SLURM_JOB_ID": "7", "SLURM_PROCID": "0", "SLURM_NTASKS": "1", "SLURM_STEP_ID": "0", "SLURM_JOB_NODELIST": "g1"}
SUBMIT = {"SBATCH_TIMELIMIT": "60", "SBATCH_PARTITION": "gpu", "SRUN_DEBUG": "3"}


def check(path: Path) -> list[str]:
    """What is still wrong with ``clean`` in the Python file ``path``: empty if nothing."""
    spec = importlib.util.spec_from_file_location("clean_environment", path)
    program = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(program)
    session = {**KEPT, **CONF, **MEMORY, **RANK, **SUBMIT}
    given = dict(session)
    cleaned = program.clean(given)
    if not isinstance(cleaned, dict):
        return [f"clean() returns {type(cleaned).__name__}: subprocess wants a dictionary of all variables."]
    problems = []
    if given != session:
        problems.append(
            "clean() changes the environment that it was given: your notebook would lose its own variables."
        )
    for names, why in (
        (MEMORY, "the new job's own --mem or --mem-per-cpu collides with it"),
        (RANK, "a library in the new job may take it for its own rank or job"),
        (SUBMIT, "it overrules the new job's directives"),
    ):
        left = sorted(set(names) & set(cleaned))
        if left:
            problems.append(f"{', '.join(left)} is handed on: {why}.")
    if "SLURM_CONF" not in cleaned:
        problems.append("SLURM_CONF is gone: where Slurm's settings lie elsewhere, sbatch no longer finds its cluster.")
    lost = sorted(name for name in KEPT if cleaned.get(name) != KEPT[name])
    if lost:
        problems.append(f"{', '.join(lost)} has nothing to do with the session's job and must stay as it is.")
    return problems
