#!/bin/bash
#SBATCH --mem=16GiB
#SBATCH --time=1:00:00
python train.py
