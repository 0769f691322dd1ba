#!/bin/bash
#PBS -j eo
#PBS -l select=1:ncpus=1,walltime=00:10:00
cd $PBS_O_WORKDIR
echo hi
