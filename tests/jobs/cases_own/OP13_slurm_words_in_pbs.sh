#!/bin/bash
#PBS -l select=2:ncpus=8:ngpus=4 -l place=scatter
#PBS -l walltime=01:00:00
cd $PBS_O_WORKDIR
export MASTER_ADDR=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -1)
mpiexec -n 8 --ppn 4 python train.py
