#!/bin/bash
#SBATCH -N 1 -n 4 --gres=gpu:4 -p gpu
#SBATCH -t 1:00:00
echo "no srun needed, mpirun neither"
module load mpirun
python train.py
