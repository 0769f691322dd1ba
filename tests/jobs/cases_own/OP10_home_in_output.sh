#!/bin/bash
#PBS -o $HOME/logs/
#PBS -l select=1:ncpus=1
cd $PBS_O_WORKDIR
echo hi
