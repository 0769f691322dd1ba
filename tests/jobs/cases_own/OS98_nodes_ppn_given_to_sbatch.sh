#!/bin/bash
#PBS -N old
#PBS -l nodes=1:ppn=1
#PBS -l walltime=7200
cd $PBS_O_WORKDIR
./app
