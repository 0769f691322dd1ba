#!/bin/zsh
#SBATCH -a 1,3,5,7
#SBATCH --mem-per-cpu 4G
#SBATCH -t 5:00:00
./run.sh $SLURM_ARRAY_TASK_ID
