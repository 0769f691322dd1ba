#!/bin/bash
#PBS -l select=2:ncpus=32:mpiprocs=1:ngpus=4
#PBS -l place=scatter:exclhost
#PBS -l walltime=2:00:00
cd $PBS_O_WORKDIR
NNODES=$(wc -l < $PBS_NODEFILE)
MASTER=$(head -1 $PBS_NODEFILE)
mpirun -np $NNODES --map-by ppr:1:node -x PATH torchrun --nnodes $NNODES --nproc_per_node 4 --rdzv_backend c10d --rdzv_endpoint $MASTER:29500 train.py
