#!/bin/bash
#SBATCH --array=0-30:10,40
#SBATCH -t 0-1
#SBATCH --mail-type=END,FAIL
python sweep.py $SLURM_ARRAY_TASK_ID
