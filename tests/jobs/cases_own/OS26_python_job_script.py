#!/usr/bin/env python3
#SBATCH --ntasks=1
#SBATCH --time=00:05:00
#SBATCH --mem=4G
import os

print(os.environ["SLURM_JOB_ID"])
