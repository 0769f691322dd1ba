#!/bin/bash
#PBS -N nocd
#PBS -l select=1:ncpus=4
#PBS -l walltime=1:00:00
module load python
mkdir -p out
source env/bin/activate
python train.py --out out
