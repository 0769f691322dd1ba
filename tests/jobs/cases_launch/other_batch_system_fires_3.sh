#!/bin/bash
#MSUB -N train
#MSUB -l nodes=2:ppn=16
#MSUB -l walltime=02:00:00
#MSUB -q gpu

cd "$MOAB_SUBMITDIR"
mpirun -n 32 ./simulate
