#!/bin/bash
#SBATCH -N 2
#SBATCH --time=1:00:00
#SBATCH --nodes=4
#SBATCH -t 2:00:00
srun hostname
