#!/bin/bash
#BSUB -J train-%J
#BSUB -n 1
#BSUB -W 1:00
#BSUB -o %J.log
./app
