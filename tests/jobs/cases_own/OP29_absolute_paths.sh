#!/bin/bash
#PBS -l select=1:ncpus=12:ngpus=1:mem=32gb,walltime=24:00:00
#PBS -v DATA,EPOCHS=5
#PBS -W umask=022
#PBS -W block=true
python /home/user/project/train.py --data "$DATA" --out /scratch/user/out
