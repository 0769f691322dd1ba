#!/bin/bash
#PBS -l nodes=2:ppn=4:gpus=2
#PBS -l walltime=1:00:00:00   # a day
#PBS -l mem=16gb
#PBS -t 0-9%3
cd $PBS_O_WORKDIR
mpirun -np 8 python sweep.py $PBS_ARRAYID
