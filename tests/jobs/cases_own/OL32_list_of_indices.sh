#!/bin/bash
#BSUB -J "a[1-3,7,9-10]"
#BSUB -n 1 -W 0:30 -o a.%J.%I   # one log each
#BSUB -w 'numdone(55,*)' -q night
#BSUB -Ep "touch done"
./task $LSB_JOBINDEX
