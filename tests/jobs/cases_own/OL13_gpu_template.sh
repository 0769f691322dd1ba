#!/bin/sh
### General options
### -- specify queue --
#BSUB -q gpua100
#BSUB -J testjob
#BSUB -n 4
#BSUB -gpu "num=1:mode=exclusive_process"
#BSUB -W 24:00
#BSUB -R "span[hosts=1]"
# request 5GB of system-memory
#BSUB -R "rusage[mem=5GB]"
##BSUB -u your_email_address
#BSUB -B
#BSUB -N
#BSUB -o gpu_%J.out
#BSUB -e gpu_%J.err
# -- end of LSF options --

nvidia-smi
module load cuda/11.6
/appl/cuda/11.6.0/samples/bin/x86_64/linux/release/deviceQuery
