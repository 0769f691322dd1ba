#!/bin/bash
#SBATCH --account=def-x
#SBATCH --gres=gpu:1       # Number of GPUs (per node)
#SBATCH --cpus-per-task=6  # CPU cores/threads
#SBATCH --mem=32000M       # memory (per node)
#SBATCH --time=0-03:10     # time (DD-HH:MM)
#SBATCH --mail-type=BEGIN,END
source ~/tensorflow/bin/activate
python ./tensorflow-test.py
