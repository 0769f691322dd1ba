#!/bin/bash
#BSUB -n 4
#bsub -W 4:00
#BSUB -R "span[hosts=1]"
#BSUB -o %J.log
./app
