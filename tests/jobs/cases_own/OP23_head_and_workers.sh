#!/bin/bash
#PBS -l select=4:ncpus=4:mpiprocs=4:mem=8gb+1:ncpus=1:mpiprocs=1:mem=2gb
#PBS -l place=scatter
#PBS -l walltime=10:00:00
cd $PBS_O_WORKDIR
mpirun ./a.out
