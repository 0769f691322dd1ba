#!/bin/bash
#SBATCH --output=logs/%x-%j.out
#SBATCH -t 5
mkdir -p logs
srun hostname
