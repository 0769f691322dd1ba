#!/bin/bash
#SBATCH --nodes=2 --ntasks-per-node=4 --gpus-per-node=4 -p gpu -t 30
export WORLD_SIZE=$SLURM_NTASKS
srun bash -c 'export RANK=$SLURM_PROCID LOCAL_RANK=$SLURM_LOCALID; exec python train.py'
srun bash -c "RANK=\$SLURM_PROCID exec python train.py"
