#!/bin/bash
#sbatch --nodes=2
#Sbatch --time=10
srun hostname
