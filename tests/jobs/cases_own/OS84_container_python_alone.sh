#!/bin/bash
#SBATCH --ntasks=4
#SBATCH --gpus=4
#SBATCH -p gpu
#SBATCH -N 1
#SBATCH --time=1:00:00
export MASTER_PORT=$((20000 + SLURM_JOB_ID % 10000))
OMP_NUM_THREADS=4 apptainer exec --nv img.sif python train.py
