#!/bin/bash
#SBATCH --requeue
#SBATCH --open-mode=truncate
#SBATCH --time=1:00:00
#SBATCH --output=log-%j.txt
srun ./app --restart
