#!/bin/bash
#SBATCH --partition=gpu --nodes=2
#SBATCH --ntasks-per-node=4 --gpus-per-node=4 --cpus-per-task=8
#SBATCH --mem=0 --time=02:00:00
export MASTER_ADDR=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
export MASTER_PORT=$((10000 + SLURM_JOB_ID % 20000))
export SRUN_CPUS_PER_TASK=$SLURM_CPUS_PER_TASK
srun python train.py
