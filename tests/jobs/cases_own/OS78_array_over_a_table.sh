#!/bin/bash
#SBATCH --array=1-50
#SBATCH --time=10
#SBATCH --mem=4G
#SBATCH --output=/dev/null
LINE=$(sed -n "${SLURM_ARRAY_TASK_ID}p" params.txt)
read -r lr bs <<< "$LINE"
PATH=$HOME/bin:$PATH
python train.py --lr "$lr" --bs "$bs"
if [[ $SLURM_ARRAY_TASK_ID -eq $SLURM_ARRAY_TASK_MAX ]]; then
  sbatch --dependency=afterok:$SLURM_ARRAY_JOB_ID collect.sbatch
fi
