#!/bin/bash
#PBS -l select=1:ncpus=4 \
     -l walltime=00:30:00
#PBS -W depend=afterok:12,umask=022
#PBS -V -r n -A proj
cd "${PBS_O_WORKDIR:?}"
python train.py
