#!/bin/bash
#SBATCH -N 1 -t 10
cd "${SLURM_SUBMIT_DIR:-${PBS_O_WORKDIR:-$PWD}}"
if [ -n "$PBS_NODEFILE" ]; then NP=$(wc -l < $PBS_NODEFILE); fi
if command -v qstat; then qstat; fi
hostname
