#!/bin/bash
#SBATCH -N 2 --ntasks-per-node=1 --gpus-per-node=8 -p gpu --exclusive
#SBATCH -t 2-00
GPUS_PER_NODE=8
MASTER_ADDR=$(scontrol show hostnames $SLURM_JOB_NODELIST | head -n 1)
MASTER_PORT=6000
DISTRIBUTED_ARGS="--nproc_per_node $GPUS_PER_NODE --nnodes $SLURM_NNODES --rdzv_endpoint $MASTER_ADDR:$MASTER_PORT --rdzv_backend c10d --max_restarts 0"
export LAUNCHER="torchrun $DISTRIBUTED_ARGS"
srun --jobid $SLURM_JOBID bash -c "$LAUNCHER --node_rank \$SLURM_PROCID pretrain_gpt.py" 2>&1 | tee log-$SLURM_JOB_ID.txt
