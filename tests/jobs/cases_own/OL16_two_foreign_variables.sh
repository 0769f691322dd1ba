#!/bin/bash
#BSUB -n 8
#BSUB -R "span[ptile=4]"
#BSUB -gpu "num=4:j_exclusive=yes"
#BSUB -W 1:30
#BSUB -o %J.out
cd $PBS_O_WORKDIR
mpirun -np $SLURM_NTASKS python train.py
