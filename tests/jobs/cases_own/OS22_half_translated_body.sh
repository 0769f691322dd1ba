#!/bin/bash
#SBATCH -N 2 -t 10
cd $PBS_O_WORKDIR
mpirun -np $(wc -l < $PBS_NODEFILE) ./app
qstat -f $PBS_JOBID
