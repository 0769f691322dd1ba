#!/bin/bash
#SBATCH -N2 --ntasks-per-node=1 --gres=gpu:1 -p gpu
#SBATCH --time=1:00:00
export MASTER_ADDR=$(scontrol show hostname "$SLURM_NODELIST" | head -n1)
export MASTER_PORT="12355"
srun python train.py
