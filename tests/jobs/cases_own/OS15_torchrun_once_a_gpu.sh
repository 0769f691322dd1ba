#!/bin/bash
#SBATCH --nodes=2 --ntasks-per-node=4 --gpus-per-node=4 -p gpu
#SBATCH -t 01:00:00
head=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
port=$((10000 + SLURM_JOB_ID % 20000))
srun torchrun --nnodes=$SLURM_NNODES --nproc_per_node=4 --rdzv_backend=c10d --rdzv_id=$SLURM_JOB_ID \
  --rdzv_endpoint=$head:$port train.py
