#!/bin/bash
#PBS -t 1-10
#PBS -l nodes=1:ppn=1
#PBS -l walltime=1:00:00
cd $PBS_O_WORKDIR
./app $PBS_ARRAY_INDEX
