#!/bin/bash
#PBS -N x
#pbs -l select=2:ncpus=4
# PBS -q gpu
#PBS -l walltime=1:00:00
cd $PBS_O_WORKDIR
hostname
