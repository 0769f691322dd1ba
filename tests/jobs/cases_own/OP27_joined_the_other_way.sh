#!/bin/bash
#PBS -j eo
#PBS -l select=1:ncpus=4:ngpus=1
#PBS -l walltime=1:00:00
source venv/bin/activate
python train.py
