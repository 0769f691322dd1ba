#!/bin/bash
#PBS -l select=1:ncpus=1
#PBS -l walltime=24:00:00
#PBS -l walltime=12:00:00
#PBS -N a
#PBS -N b
cd $PBS_O_WORKDIR
hostname
