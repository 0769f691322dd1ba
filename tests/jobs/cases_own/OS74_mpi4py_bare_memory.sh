#!/bin/bash
#SBATCH -N 3
#SBATCH --ntasks-per-node=16
#SBATCH --mem=100000
#SBATCH -t 10:00:00
module purge; module load openmpi
mpiexec -n 48 python -m mpi4py solve.py
