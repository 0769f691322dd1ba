#!/bin/bash
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --signal=SIGUSR1@90
#SBATCH --time=1:00:00
#SBATCH --output=log-%j.txt
srun python train.py
