#!/bin/bash
#JSUB -J train
#JSUB -q gpu
#JSUB -n 4
#JSUB -gpgpu 1
#JSUB -o %J.out

source .venv/bin/activate
python train.py
