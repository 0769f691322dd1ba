#!/bin/bash
#SBATCH --job-name=x
 #SBATCH --nodes=2
# SBATCH --ntasks=4
#sbatch --time=10
##SBATCH --partition=gpu
srun hostname
