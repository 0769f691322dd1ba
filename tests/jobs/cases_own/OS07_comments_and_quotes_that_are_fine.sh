#!/bin/bash
#SBATCH --nodes=2          # number of nodes
#SBATCH --time=00:10:00    # don't ask for more
#SBATCH --job-name="my job" --comment='a # b'
srun hostname
