#!/bin/bash
#SBATCH -N2 --ntasks-per-node=4 --gpus-per-node=4 -p gpu
#SBATCH --time=1:00:00
#SBATCH --export=ALL
MASTER_ADDR=$(scontrol show hostname "$SLURM_NODELIST" | head -n1) MASTER_PORT=$((15000 + SLURM_JOBID % 5000))
export MASTER_ADDR MASTER_PORT
echo "RANK of the batch shell is $SLURM_PROCID"
srun --kill-on-bad-exit=1 bash -c "
  RANK=\$SLURM_PROCID LOCAL_RANK=\$SLURM_LOCALID WORLD_SIZE=\$SLURM_NTASKS python train.py
"
