#!/usr/bin/env python3
#SBATCH --time=02:00:00
#SBATCH --cpus-per-task=4
#SBATCH --job-name=py
import os

n = int(os.environ["SLURM_CPUS_PER_TASK"])
text = """
#SBATCH --nodes=4
"""
print(n)
