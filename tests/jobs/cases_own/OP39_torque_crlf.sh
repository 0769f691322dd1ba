#!/bin/bash
#PBS -N longjob
#PBS -l nodes=1:ppn=8
#PBS -l walltime=72:00:00
cd $PBS_O_WORKDIR
./app
