#!/bin/bash
#PBS -l select=2:ncpus=8:mpiprocs=4:ngpus=4
#PBS -l place=scatter
#PBS -l walltime=1:00:00
cd $PBS_O_WORKDIR
export MASTER_ADDR=$(head -n 1 $PBS_NODEFILE)
NNODES=$(cat $PBS_NODEFILE | wc -l)
for host in $(sort -u $PBS_NODEFILE); do
  ssh $host "cd $PBS_O_WORKDIR && torchrun --nnodes=$NNODES --nproc_per_node=4 --rdzv_backend=c10d --rdzv_endpoint=$MASTER_ADDR:$((20000 + ${PBS_JOBID%%.*} % 10000)) train.py" &
done
wait
