#!/bin/bash
#SBATCH --nodes=4 \
#        --ntasks=16
#SBATCH --time=10
srun ./app
