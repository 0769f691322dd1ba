#!/bin/bash
#SBATCH --gres=gpu:a100:2
#SBATCH -p gpu
#SBATCH -c 16
#SBATCH --time=240
python -m torch.distributed.launch --nproc_per_node=2 --master_port=29501 train.py
