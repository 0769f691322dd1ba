#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks=2
#SBATCH --time=10
export NODE_RANK=${SLURM_NODEID}
export MASTER_PORT=$(( 20000 + $SLURM_JOB_ID % 1000 ))
srun ./start.sh
