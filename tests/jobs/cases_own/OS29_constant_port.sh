#!/bin/bash
#SBATCH --nodes=1 --gpus-per-node=2 -p gpu -t 30
torchrun --nproc_per_node=2 --rdzv_backend=c10d --rdzv_endpoint=localhost:29400 train.py
