#!/bin/bash
# One job for each learning rate.
template='#!/bin/bash
#SBATCH --job-name=lr_{RATE}
#SBATCH --ntasks=1
#SBATCH --gpus-per-node=1
#SBATCH --time=01:00:00
source .venv/bin/activate
srun python train.py --lr {RATE}'

for rate in 0.1 0.01 0.001; do
    echo "${template//\{RATE\}/$rate}" | sbatch
done
