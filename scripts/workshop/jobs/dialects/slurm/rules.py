"""Slurm's rules: those that look at the options, and those that look at the commands."""

from workshop.jobs.dialects.slurm.rules_body import SLURM_BODY
from workshop.jobs.dialects.slurm.rules_header import SLURM_HEADER

RULES = SLURM_HEADER + SLURM_BODY
