#!/bin/bash
#SBATCH --nodes=1 --ntasks=4 -t 01:00:00
for seed in 1 2 3 4; do
    python train.py --seed $seed &
done
wait
