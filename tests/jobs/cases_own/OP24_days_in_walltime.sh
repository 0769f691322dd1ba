#!/bin/bash
#PBS -l select=1:ncpus=1
#PBS -l walltime=1-00:00:00
cd $PBS_O_WORKDIR
hostname
