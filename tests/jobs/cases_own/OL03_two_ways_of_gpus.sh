#!/bin/bash
#BSUB -q gpu -n 2
#BSUB -R "rusage[ngpus_excl_p=2] span[hosts=1]"
#BSUB -gpu "num=2"
python train.py
