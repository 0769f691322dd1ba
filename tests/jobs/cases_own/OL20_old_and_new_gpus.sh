#!/bin/bash
#BSUB -n 1
#BSUB -gpu "num=2"
#BSUB -R "rusage[ngpus_excl_p=2]"
#BSUB -W 60
#BSUB -o %J.log
python train.py
