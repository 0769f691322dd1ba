#!/bin/bash
# PBS -N name
#pbs -l walltime=10:00
##PBS -q foo
#PBS -l select=1:ncpus=1
cd $PBS_O_WORKDIR
python x.py
