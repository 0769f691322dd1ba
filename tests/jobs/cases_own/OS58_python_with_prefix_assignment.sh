#!/bin/bash
#SBATCH -N 1
#SBATCH --ntasks-per-node=4
#SBATCH --gres=gpu:4
#SBATCH --time=1:00:00
#SBATCH -p gpu
source ~/miniconda3/etc/profile.d/conda.sh
conda activate torch
CUDA_LAUNCH_BLOCKING=0 python -u train.py --gpus 4
