#!/bin/bash
#PBS -l nodes=2:ppn=8
#PBS -l select=2:ncpus=8
#PBS -l walltime=01:00:00
cd $PBS_O_WORKDIR
mpirun ./a.out
