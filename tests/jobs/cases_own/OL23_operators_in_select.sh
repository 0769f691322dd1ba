#!/bin/bash
#BSUB -J "big job"
#BSUB -n 16
#BSUB -R "select[model==XeonE5_2680 && mem>64000] span[hosts=1] order[slots]"
#BSUB -W 72:00
#BSUB -oo logs/%J.out
./openmp_app
