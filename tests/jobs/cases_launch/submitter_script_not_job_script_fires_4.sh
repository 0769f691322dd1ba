#!/bin/bash
for seed in 1 2 3; do
    bsub -J "seed$seed" -q gpu -n 4 -R "span[hosts=1]" -gpu "num=1" -W 1:00 -o "%J.out" \
        .venv/bin/python train.py --seed "$seed"
done
