#!/bin/bash
#PBS -l select=1:ncpus=1
#PBS -l walltime=0:10:00
#PBS -N job
#PBS -e ${HOME}/logs/job.err
#PBS -o ${HOME}/logs/job.out
cd $PBS_O_WORKDIR
hostname
