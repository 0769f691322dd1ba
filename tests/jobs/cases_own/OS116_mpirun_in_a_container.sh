#!/bin/bash
#SBATCH -n 8
#SBATCH -t 1:00:00
python prepare.py
apptainer exec img.sif mpirun -np 8 python train.py
