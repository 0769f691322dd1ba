#!/bin/bash
# Begin LSF Directives
#BSUB -P CSC123
#BSUB -W 2:00
#BSUB -nnodes 4
#BSUB -alloc_flags "gpumps smt4"
#BSUB -J RunSim
#BSUB -o RunSim.%J
#BSUB -e RunSim.%J
cd $MEMBERWORK/abc123
jsrun -n 24 -g 1 -a 1 -c 7 ./a.out
