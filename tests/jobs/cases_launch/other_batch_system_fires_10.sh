#!/bin/sh
#PBS -q sxs
#PBS --venode 8
#PBS -l elapstim_req=01:00:00
#PBS -j o

cd $PBS_O_WORKDIR
export VE_FORT_SETBUF=10240
mpirun -venode -nn 1 -nnp 64 ./simulate
