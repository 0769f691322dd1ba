#!/bin/bash
#SBATCH --job-name=het
#SBATCH -p cpu -N 1 -n 1 -c 4 --mem=16G
#SBATCH --time=1:00:00
#SBATCH packjob
#SBATCH -p gpu -N 4 --ntasks-per-node=4 --gres=gpu:4 --time=1:00:00
srun --het-group=0 python serve.py : --het-group=1 python train.py
