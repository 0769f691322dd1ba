#!/bin/bash
#PBS -l select=1:ncpus=8
#PBS -l mem=16gb
cd $PBS_O_WORKDIR
./app
