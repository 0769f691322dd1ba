#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
#SBATCH --gpus-per-node=4
#SBATCH --time=1:00:00
#SBATCH -p gpu
MASTER_ADDR=$(scontrol show hostnames $SLURM_JOB_NODELIST | head -n 1)
MASTER_PORT=$((20000 + SLURM_JOB_ID % 10000))
srun torchrun --nnodes=2 --nproc_per_node=4 --node_rank=$SLURM_NODEID \
   --master_addr=$MASTER_ADDR --master_port=$MASTER_PORT train.py
