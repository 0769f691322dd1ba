#!/bin/bash
#BSUB -J "ar[1-9:2,20]%3" -n 1 -W 0:10
#BSUB -o %J_%I.out
echo $LSB_JOBINDEX
