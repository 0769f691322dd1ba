#!/bin/bash
#PBS -l select=1:ncpus=4:mpiprocs=4:ngpus=4:gpu_model=a100:host=n01+2:ncpus=4:mpiprocs=4:arch=linux
#PBS -l place=scatter:shared
#PBS -l walltime=02:30:00,software=ansys
#PBS -l max_walltime=10:00:00
cd -- "$PBS_O_WORKDIR"
mpirun ./app
