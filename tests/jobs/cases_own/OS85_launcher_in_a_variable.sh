#!/bin/bash
#SBATCH -N 2 --ntasks-per-node=4
#SBATCH --time=1:00:00
RUN="mpirun -np 8"
python prepare.py
$RUN ./solver
