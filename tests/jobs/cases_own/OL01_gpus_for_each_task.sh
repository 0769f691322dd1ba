#!/bin/bash
#BSUB -J gpu -n 4
#BSUB -gpu "num=1/task:gmodel=TeslaV100_SXM2_32GB:j_exclusive=yes"
#BSUB -R "span[ptile=2] rusage[mem=8GB/task]"
#BSUB -W 1:30
#BSUB -o %J.out
mpirun python train.py
