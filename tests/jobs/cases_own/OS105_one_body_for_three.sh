#!/bin/bash
#SBATCH --gres=gpu:1
#SBATCH -p gpu
#SBATCH --time=1:00:00
cd "${SLURM_SUBMIT_DIR:-${PBS_O_WORKDIR:-$PWD}}"
JOBID=${SLURM_JOB_ID:-${PBS_JOBID:-local}}
if command -v qstat >/dev/null; then qstat -f "$JOBID"; fi
if [[ -n ${LSB_JOBID+x} ]]; then echo "lsf $LSB_JOBID"; fi
python train.py
