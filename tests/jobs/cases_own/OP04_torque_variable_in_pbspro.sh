#!/bin/bash
#PBS -J 0-9
#PBS -l select=1:ncpus=1
cd $PBS_O_WORKDIR
python sweep.py $PBS_ARRAYID
