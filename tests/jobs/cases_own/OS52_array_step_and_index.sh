#!/bin/bash
#SBATCH --array=0-15:4,20%3
#SBATCH --time=1
#SBATCH --output=run_%A_%a.out
./sweep "$SLURM_ARRAY_TASK_ID"
