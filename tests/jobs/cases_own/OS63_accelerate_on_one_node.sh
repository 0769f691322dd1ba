#!/bin/bash
#SBATCH --gpus=a100:4
#SBATCH --nodes=1
#SBATCH -p gpu
#SBATCH --time=01:00:00
accelerate launch --multi_gpu --num_processes 4 --main_process_port $((20000 + SLURM_JOB_ID % 10000)) train.py
