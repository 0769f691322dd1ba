#!/bin/bash
for config in a b c; do
    echo "cd '$PWD' && .venv/bin/python train.py --config $config" |
        qsub -N "run_$config" -j oe -l select=1:ncpus=8:ngpus=1:mem=32gb -l walltime=02:00:00
done
