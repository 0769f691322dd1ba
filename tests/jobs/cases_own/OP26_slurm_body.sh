#!/bin/bash
#PBS -l select=2:ncpus=4:mpiprocs=4:ngpus=4
#PBS -l place=scatter
#PBS -l walltime=1:00:00
cd $SLURM_SUBMIT_DIR
export MASTER_ADDR=$(scontrol show hostnames $SLURM_JOB_NODELIST | head -1)
srun -n $SLURM_NTASKS python train.py
