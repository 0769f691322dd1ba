#!/bin/bash
#SBATCH --nodes=1 --ntasks=4 --gpus-per-node=4 -p gpu
#SBATCH -t 01:00:00
source .venv/bin/activate
python train.py --strategy ddp
