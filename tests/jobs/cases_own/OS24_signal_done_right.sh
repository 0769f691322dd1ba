#!/bin/bash
#SBATCH -p gpu --gres=gpu:1 --time=00:10:00
#SBATCH --signal=B:USR2@120
#SBATCH --requeue --open-mode=append
trap 'kill -USR2 $pid; wait $pid; scontrol requeue $SLURM_JOB_ID' USR2
srun python train.py --resume auto &
pid=$!
wait $pid
