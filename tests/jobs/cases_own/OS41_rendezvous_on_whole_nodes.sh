#!/bin/bash
#SBATCH --job-name=ddp
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
#SBATCH --gpus-per-node=4
#SBATCH --cpus-per-task=32
#SBATCH --mem=0
#SBATCH --time=1-12
#SBATCH --partition=gpu
#SBATCH --exclusive
#SBATCH --output=%x-%j.out

nodes=( $( scontrol show hostnames $SLURM_JOB_NODELIST ) )
nodes_array=($nodes)
head_node=${nodes_array[0]}
head_node_ip=$(srun --nodes=1 --ntasks=1 -w "$head_node" hostname --ip-address)

export SRUN_CPUS_PER_TASK=$SLURM_CPUS_PER_TASK
export LOGLEVEL=INFO
srun torchrun \
  --nnodes $SLURM_NNODES \
  --nproc_per_node 4 \
  --rdzv_id $RANDOM \
  --rdzv_backend c10d \
  --rdzv_endpoint $head_node_ip:29500 \
  train.py --epochs 10
