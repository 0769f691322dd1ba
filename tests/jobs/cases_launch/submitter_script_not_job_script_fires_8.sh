#!/bin/bash
for part in {1..120}; do
    sbatch --time=01:00:00 --job-name=part --output=part.${part}.out train.sbatch
done
