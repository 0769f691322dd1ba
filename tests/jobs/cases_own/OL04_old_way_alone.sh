#!/bin/bash
#BSUB -q gpu -n 1 -W 0:30
#BSUB -R "rusage[ngpus_excl_p=1]"
python train.py
