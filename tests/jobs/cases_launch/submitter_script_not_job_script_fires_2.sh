#!/bin/bash
set -euo pipefail
PARTITION=gpu
for config in configs/*.yaml; do
    name=$(basename "$config" .yaml)
    sbatch -p "$PARTITION" -n 1 -c 8 --gres=gpu:1 -t 02:00:00 -J "$name" -o "%x-%j.out" \
        --wrap "source .venv/bin/activate && python train.py --config $config"
done
