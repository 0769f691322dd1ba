#!/bin/tcsh
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=4
#SBATCH --gpus-per-node=4
#SBATCH --time=04:00:00
#SBATCH --output=%x-%j.out

if ($?VIRTUAL_ENV) then
    echo "in $VIRTUAL_ENV"
endif
setenv MASTER_ADDR localhost
set base = 20000
setenv MASTER_PORT `expr $base + $SLURM_JOB_ID % 10000`
srun python train.py
