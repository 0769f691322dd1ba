#!/bin/bash
#PBS -N ddp
#PBS -l select=2:ncpus=8:mpiprocs=4:ngpus=4:mem=64gb -l place=scatter:excl -l walltime=2:00:00 -q normal
#PBS -j oe -k oed -m abe -M user@example.org -r n
#PBS -W umask=022
cd "$PBS_O_WORKDIR" || exit 1
NP=$(cat $PBS_NODEFILE | wc -l)
NN=$(sort -u $PBS_NODEFILE | wc -l)
mpirun -np $NP --map-by ppr:4:node python train.py --nodes $NN
