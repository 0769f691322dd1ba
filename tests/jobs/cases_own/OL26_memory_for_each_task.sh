#!/bin/bash
#BSUB -n 32 -R "span[ptile=16] rusage[mem=4GB/task]"
#BSUB -W 12:00
#BSUB -o %J.out
#BSUB -J mpi
mpirun ./app
