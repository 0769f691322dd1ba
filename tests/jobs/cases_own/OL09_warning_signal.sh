#!/bin/bash
#BSUB -P proj -nnodes 4 -W 2:00
#BSUB -J big -o out.%J -e err.%J
#BSUB -wa USR2 -wt 10 -r
jsrun -n 24 -a 1 -g 1 -c 7 python train.py
