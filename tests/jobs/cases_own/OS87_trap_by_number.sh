#!/bin/bash
#SBATCH --signal=B:USR1@120
#SBATCH --time=1:00:00
save() { touch stop; }
trap save 10
srun python train.py & wait $!
