#!/bin/bash
#SBATCH -J jobname
#SBATCH -o ./%x.%j.out
#SBATCH -D ./
#SBATCH --get-user-env
#SBATCH --partition=gpu
#SBATCH --nodes=1
#SBATCH --ntasks=8
#SBATCH --export=NONE
#SBATCH --time=02:00:00
module load slurm_setup
unset SLURM_EXPORT_ENV
srun ./app
