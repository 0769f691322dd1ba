#!/bin/bash
#SBATCH --partition=GPU
#SBATCH --gres=gpu:A100:2
#SBATCH -t 10
python train.py
