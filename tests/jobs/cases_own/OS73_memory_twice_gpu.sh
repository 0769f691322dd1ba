#!/bin/bash
#SBATCH --mem=64G
#SBATCH --mem-per-gpu=16G
#SBATCH --gpus=1
#SBATCH -p gpu
#SBATCH -t 10
hostname
