#!/bin/bash
for seed in 1 2 3; do
    bsub -J "seed$seed" -n 1 -W 1:00 -o "seed$seed.%J.out" < train.lsf
done
