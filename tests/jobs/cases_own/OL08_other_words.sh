#!/bin/bash
#BSUB -n 2 -W 10
cd $PBS_O_WORKDIR
srun hostname
