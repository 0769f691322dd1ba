#!/bin/bash
#SBATCH -N 2
#SBATCH --gpus=4
#SBATCH --gpus-per-node=4
#SBATCH -p gpu
#SBATCH --time=1:00:00
srun hostname
