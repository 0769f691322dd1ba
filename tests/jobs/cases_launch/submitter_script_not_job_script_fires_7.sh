#!/bin/bash
options=(-q gpu -j oe -l select=1:ncpus=16:ngpus=4:mem=64gb -l walltime=02:00:00)
for seed in 1 2 3; do
    qsub "${options[@]}" -N "seed$seed" <<EOF
cd "$PWD"
source .venv/bin/activate
torchrun --standalone --nproc_per_node=4 train.py --seed $seed
EOF
done
