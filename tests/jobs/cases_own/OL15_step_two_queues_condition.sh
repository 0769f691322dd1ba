#!/bin/bash
#BSUB -J "sweep[1-100:2]%5"
#BSUB -n 1
#BSUB -W 01:00
#BSUB -o sweep.%J.%I
#BSUB -q "short normal"
#BSUB -w "done(123) && ended(prep)"
python sweep.py $LSB_JOBINDEX
