#!/bin/bash
#PBS -P ab12
#PBS -q gpuvolta
#PBS -l walltime=02:00:00,mem=380GB,ncpus=48,ngpus=4,jobfs=100GB,storage=scratch/ab12,wd
module load pytorch
torchrun --nproc_per_node=$PBS_NGPUS --standalone train.py > $PBS_JOBID.log
