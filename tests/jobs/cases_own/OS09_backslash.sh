#!/bin/bash
#SBATCH --nodes=2 \
        --ntasks-per-node=4 \
        --gpus-per-node=4
#SBATCH --time=01:00:00
srun python train.py
