"""The course's job scripts as tests name them: endings, words of directives and paths, in one place."""

from pathlib import Path

from workshop.paths import SCRIPTS

ENDINGS = {"slurm": ".sbatch", "pbs": ".pbs", "lsf": ".lsf"}
KEYWORDS = {"slurm": "#SBATCH", "pbs": "#PBS", "lsf": "#BSUB"}
# Whose scripts are tried at a site: the course has none for Torque, whose users have those of PBS.
FOLDERS = {**{scheduler: scheduler for scheduler in ENDINGS}, "torque": "pbs"}


def path_of(scheduler: str, stem: str) -> Path:
    """The script ``stem`` for a scheduler."""
    return SCRIPTS / scheduler / (stem + ENDINGS[scheduler])


def scripts_of(scheduler: str) -> list[Path]:
    """All scripts of the course that are tried at a site with this scheduler."""
    folder = FOLDERS[scheduler]
    found = sorted((SCRIPTS / folder).glob(f"*{ENDINGS[folder]}"))
    assert found, f"no scripts in scripts/{folder}"
    return found
