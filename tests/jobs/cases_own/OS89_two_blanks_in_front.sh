#!/bin/bash
  #SBATCH --nodes=2
#SBATCH --time=1:00:00
srun hostname
