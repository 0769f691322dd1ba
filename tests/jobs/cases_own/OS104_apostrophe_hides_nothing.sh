#!/bin/bash
#SBATCH --time=1:00:00
echo it's starting
#SBATCH --nodes=2
srun ./bench
