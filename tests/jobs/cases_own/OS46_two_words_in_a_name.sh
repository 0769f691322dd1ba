#!/bin/bash
#SBATCH --job-name=my training
#SBATCH --time=1:00:00
#SBATCH -p gpu
srun python train.py
