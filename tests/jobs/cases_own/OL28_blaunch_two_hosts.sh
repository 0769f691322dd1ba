#!/bin/bash
#BSUB -n 48 -x
#BSUB -R "span[ptile=24]"
#BSUB -gpu "num=6:mode=shared"
#BSUB -W 1:00
#BSUB -o %J.out
export MASTER_ADDR=$(head -1 $LSB_DJOB_HOSTFILE)
blaunch -z "$(sort -u $LSB_DJOB_HOSTFILE)" ./start.sh
