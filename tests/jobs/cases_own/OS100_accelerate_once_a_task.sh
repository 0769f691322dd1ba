#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks=4
#SBATCH --gpus=4
#SBATCH -p gpu
#SBATCH --time=1:00:00
srun apptainer exec --nv img.sif accelerate launch --num_processes 4 train.py
