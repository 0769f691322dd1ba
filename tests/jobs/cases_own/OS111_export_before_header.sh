#!/bin/bash
#SBATCH -t 24:00:00
export OMP_NUM_THREADS=4
#SBATCH -N 4
## comment
#SBATCH --gres=gpu:4
python train.py
