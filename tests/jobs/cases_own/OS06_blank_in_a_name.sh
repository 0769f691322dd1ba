#!/bin/bash
#SBATCH --job-name=my job
#SBATCH --time=12:00:00
srun hostname
