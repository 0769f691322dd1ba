#!/bin/bash
#SBATCH --part=gpu
#SBATCH --outp=x.%j
#SBATCH --tim=60
#SBATCH --cpus-per-t=2
srun hostname
