#!/bin/bash
#SBATCH --ntasks=1
#SBATCH --time=00:15:00
#SBATCH --gpus=1
#SBATCH --gres=min-cuda-cc:80,min-vram:32g
#SBATCH --output=%x-%j.out

python train.py
