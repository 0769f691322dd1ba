#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks=2
#SBATCH --gpus=3
#SBATCH -p gpu
#SBATCH -t 30
srun ./app
