#!/bin/bash
#PBS -l select=1:ncpus=4:mpiprocs=1+2:ncpus=8:ngpus=2:mpiprocs=2
#PBS -l place=scatter:excl
#PBS -l walltime=10:00
cd $PBS_O_WORKDIR
mpiexec ./app
