#!/bin/bash
#BSUB -J old
#BSUB -n 8
#BSUB -W 5:00
#BSUB -q gpu
#BSUB -M 4096
mpirun ./app
