#!/bin/bash
#SBATCH --node=2
#SBATCH --time=1:00:00
srun hostname
