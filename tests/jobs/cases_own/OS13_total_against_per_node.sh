#!/bin/bash
#SBATCH -p gpu -N 2 -t 10
#SBATCH --gpus=4
#SBATCH --gpus-per-node=4
srun python train.py
