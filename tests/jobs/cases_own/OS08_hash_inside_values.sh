#!/bin/bash
#SBATCH --job-name=run#3 --nodes=2
#SBATCH --time=10
srun hostname
