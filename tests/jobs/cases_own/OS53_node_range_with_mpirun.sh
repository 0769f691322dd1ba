#!/bin/sh
#SBATCH -N 2-4
#SBATCH -n 8
#SBATCH --mem-per-cpu=2G
#SBATCH --time=1-0
mpirun -np $SLURM_NTASKS ./solver
