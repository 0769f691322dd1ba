#!/bin/bash
#SBATCH --gpus=4 --mem-per-gpu=40G -p gpu
#SBATCH -n 4 -c 8 -t 5:00:00
export SRUN_CPUS_PER_TASK=8
srun --gpu-bind=none python train.py
