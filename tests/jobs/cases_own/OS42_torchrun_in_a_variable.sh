#!/bin/bash
#SBATCH -N 2
#SBATCH --ntasks-per-node=4
#SBATCH --gres=gpu:4
#SBATCH -t 2:00:00
#SBATCH -p gpu
export MASTER_ADDR=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
export MASTER_PORT=$((10000 + SLURM_JOB_ID % 20000))
LAUNCHER="python -m torch.distributed.run \
    --nproc_per_node 4 \
    --nnodes $SLURM_NNODES \
    --rdzv_endpoint $MASTER_ADDR:$MASTER_PORT \
    --rdzv_backend c10d"
CMD="pretrain.py --tp 1"
srun bash -c "$LAUNCHER $CMD"
