#!/bin/bash
#SBATCH -J train -p gpu -t 1:00:00
#SBATCH --gres=gpu:a100:2
#SBATCH --mem-per-cpu=4G
#SBATCH --cpus-per-task=16
python train.py
