#!/bin/bash
#SBATCH –nodes=2
#SBATCH --time=00:10:00
srun hostname
