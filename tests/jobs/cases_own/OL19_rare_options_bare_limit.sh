#!/bin/bash
#BSUB -n 1 -x -r
#BSUB -M 4000
#BSUB -W 60
#BSUB -L /bin/bash -cwd /scratch/x -G group1 -U resv -sp 50 -m "host1 host2"
#BSUB -env "all, MODE=fast"
hostname
