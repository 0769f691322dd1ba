#!/bin/bash
#BSUB -n 8
#BSUB -R "rusage[mem=4000] span[hosts=1]"
#BSUB -W 24:00
python train.py
