#!/bin/bash
#BSUB -n 1
#BSUB -o $HOME/logs/%J.out
#BSUB -W 1:00
./app
