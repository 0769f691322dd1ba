#!/bin/bash
#SBATCH --ntasks=4
#SBATCH -t 10
srun -n 8 hostname
