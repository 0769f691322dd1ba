#!/bin/bash
#SBATCH -p gpu -N 2 -t 10 --gpus=8 --gpus-per-node=4 --ntasks-per-node=4
srun python train.py
