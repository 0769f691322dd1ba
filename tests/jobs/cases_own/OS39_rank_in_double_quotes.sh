#!/bin/bash
#SBATCH --nodes=2 --ntasks-per-node=1 --gpus-per-node=4 -p gpu -t 30
srun bash -c "torchrun --nnodes=2 --node_rank=$SLURM_NODEID --nproc_per_node=4 train.py"
