#!/bin/bash
#PBS -l select=1:ncpus=8
#PBS -l mem=16gb
#PBS -l walltime=2:00:00
cd $PBS_O_WORKDIR
./app
