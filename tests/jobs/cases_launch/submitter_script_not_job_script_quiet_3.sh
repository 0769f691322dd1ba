#!/bin/bash
# usage: sbatch --gres=gpu:1 FILE
source .venv/bin/activate
python train.py --epochs 10
