"""Slurm: sbatch's words, options and request, and the rules for its scripts."""
