#!/bin/bash
#SBATCH -t 30
#SBATCH -o logs/%x/%j.out
mkdir -p logs
./app
