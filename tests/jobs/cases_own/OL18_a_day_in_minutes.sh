#!/bin/bash
#BSUB -n 1
#BSUB -W 24
#BSUB -o %J.out
python train.py
