#!/bin/bash
#SBATCH --nodes=1 --gpus-per-node=2 -p gpu -t 30
torchrun --standalone --nproc_per_node=2 train.py
