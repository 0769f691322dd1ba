#!/bin/bash
#SBATCH -N 1
#SBATCH -t 2:00:00
#BSUB -W 5:00
hostname
