#!/bin/bash
#SBATCH --job-name="run
#SBATCH --time=1:00:00
srun python train.py
