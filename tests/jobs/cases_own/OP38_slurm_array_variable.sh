#!/bin/bash
#PBS -J 1-10
#PBS -l select=1:ncpus=1
#PBS -l walltime=2:00:00
cd $PBS_O_WORKDIR
export OMP_NUM_THREADS=$SLURM_CPUS_PER_TASK
./app $SLURM_ARRAY_TASK_ID
