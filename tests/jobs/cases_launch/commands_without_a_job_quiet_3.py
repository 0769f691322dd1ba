#!/usr/bin/env python3
#SBATCH --ntasks=1
#SBATCH --time=01:00:00
import os

print(os.environ["SLURM_JOB_ID"])
