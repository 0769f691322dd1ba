#!/bin/bash
#SBATCH -p gpu -N 2 --gpus=5 -t 10
srun hostname
