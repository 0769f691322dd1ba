#!/bin/bash
#SBATCH --mem=32GiB
#SBATCH --mem-per-cpu=4G
python train.py
