#!/bin/bash
#BSUB -n 16
#BSUB -R "span[ptile=8]"
#BSUB -gpu "num=4"
#BSUB -W 8:00
#BSUB -o %J.log
torchrun --nproc_per_node=4 --nnodes=2 train.py
