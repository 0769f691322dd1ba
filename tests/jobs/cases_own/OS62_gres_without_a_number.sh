#!/usr/bin/env bash
#SBATCH --gres=gpu
#SBATCH --partition=gpu
#SBATCH --time=01:00:00
##SBATCH --mem=500G
### a heading
#
# text #SBATCH --nodes=7
time python train.py
