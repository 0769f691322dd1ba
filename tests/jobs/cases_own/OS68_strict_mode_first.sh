#!/bin/bash
#SBATCH --job-name=x

set -euo pipefail
#SBATCH --nodes=4
#SBATCH --time=10:00:00
module load cuda
#SBATCH -p gpu
srun ./app
