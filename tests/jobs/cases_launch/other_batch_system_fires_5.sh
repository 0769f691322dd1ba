#!/bin/bash
#PBS -q gpu
#PBS -A proj01
#PBS -T openmpi
#PBS -b 2
#PBS -l elapstim_req=02:00:00
#PBS -v OMP_NUM_THREADS=12

cd "$PBS_O_WORKDIR"
mpirun ${NQSV_MPIOPTS} -np 8 -npernode 4 ./simulate
