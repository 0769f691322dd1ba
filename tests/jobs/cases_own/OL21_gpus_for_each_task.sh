#!/bin/bash
#BSUB -n 8
#BSUB -R "span[ptile=4] affinity[core(4)]"
#BSUB -gpu "num=1/task:mode=shared:gmem=16G"
#BSUB -W 1:00
#BSUB -o %J.log
mpirun ./app
