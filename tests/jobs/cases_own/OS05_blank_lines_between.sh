#!/bin/bash

#SBATCH --nodes=2

# a comment
#SBATCH --ntasks-per-node=2

#SBATCH --time=00:10:00

srun hostname
