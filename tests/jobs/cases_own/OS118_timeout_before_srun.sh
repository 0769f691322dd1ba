#!/bin/bash
#SBATCH -N 1 -n 4 --gres=gpu:4 -p gpu
#SBATCH -t 1:00:00
timeout 3500 srun torchrun --standalone --nproc_per_node=4 train.py
