#!/bin/bash
#SBATCH -N2 --ntasks-per-node=4 --gpus-per-node=4 -p gpu
#SBATCH --time=1:00:00
export MASTER_ADDR=$(scontrol show hostname "$SLURM_NODELIST" | head -n1) MASTER_PORT=$((15000 + SLURM_JOBID % 5000))
srun bash -c "RANK=$SLURM_PROCID LOCAL_RANK=$SLURM_LOCALID python train.py"
