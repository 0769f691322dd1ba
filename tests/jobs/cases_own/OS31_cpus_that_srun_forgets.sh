#!/bin/bash
#SBATCH --ntasks=2
#SBATCH --cpus-per-task=8
#SBATCH -t 10
export OMP_NUM_THREADS=$SLURM_CPUS_PER_TASK
srun python train.py
