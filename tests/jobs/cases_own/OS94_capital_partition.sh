#!/bin/bash
#SBATCH -p GPU
#SBATCH --gres=gpu:A100:1
#SBATCH --time=1:00:00
python train.py
