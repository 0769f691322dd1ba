#!/bin/bash
#SBATCH --signal=B:SIGUSR2@60
#SBATCH --time=1:00:00
#SBATCH --open-mode=append
trap 'echo bye; scontrol requeue $SLURM_JOB_ID' USR2
srun python train.py
