#!/bin/bash
#SBATCH --ntasks=1
#SBATCH --time=00:15:00
#SBATCH --gres=gpu-a100:1
#SBATCH --output=%x-%j.out

python train.py
