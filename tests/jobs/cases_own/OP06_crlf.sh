#!/bin/bash
#PBS -l select=1:ncpus=2
#PBS -l walltime=00:10:00
cd $PBS_O_WORKDIR
hostname
