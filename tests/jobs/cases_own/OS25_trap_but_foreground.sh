#!/bin/bash
#SBATCH -p gpu --gres=gpu:1 --time=00:10:00
#SBATCH --signal=B:USR2@120
trap 'touch requeue_me' USR2
python train.py
