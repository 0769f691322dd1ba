#!/bin/bash
#PBS -l select=1:ncpus=1:mem=2gb
#PBS -l walltime=01:00:00
cd $PBS_O_WORKDIR
hostname
