#!/bin/bash
#SBATCH --nodes=1-2
# SBATCH --ntasks-per-node=4
#SBATCH --time=10
srun hostname
