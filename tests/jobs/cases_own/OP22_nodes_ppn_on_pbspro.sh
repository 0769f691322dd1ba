#!/bin/bash
#PBS -l nodes=4:ppn=16
#PBS -l walltime=10:00:00
#PBS -N old
cd $PBS_O_WORKDIR
mpirun -np 64 ./a.out
