#!/bin/bash
#SBATCH -N 1
#SBATCH --ntasks-per-node=4
#SBATCH --gres=gpu:4
#SBATCH --time=1:00:00
#SBATCH -p gpu
torchrun --standalone --nproc_per_node=4 train.py
