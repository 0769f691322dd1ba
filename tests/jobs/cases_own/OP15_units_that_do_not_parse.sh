#!/bin/bash
#PBS -l select=1:ncpus=4:mem=16GiB
#PBS -l walltime=1h
cd $PBS_O_WORKDIR
python x.py
