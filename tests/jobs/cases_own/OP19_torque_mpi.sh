#!/bin/bash
#PBS -S /bin/bash
#PBS -N mpi_job
#PBS -l nodes=2:ppn=8:gpus=2
#PBS -l walltime=24:00:00,pmem=2gb
#PBS -V
#PBS -q batch
cd $PBS_O_WORKDIR
NPROCS=`wc -l < $PBS_NODEFILE`
mpirun -machinefile $PBS_NODEFILE -np $NPROCS ./a.out
