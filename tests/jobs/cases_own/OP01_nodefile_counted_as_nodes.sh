#!/bin/bash
#PBS -N ddp
#PBS -l select=2:ncpus=8:mpiprocs=4:ngpus=4:mem=64gb
#PBS -l place=scatter
#PBS -l walltime=02:00:00
cd "$PBS_O_WORKDIR"
NNODES=$(wc -l < $PBS_NODEFILE)
mpiexec -n 8 python train.py --nodes $NNODES
