#!/bin/bash
#SBATCH -N 1
#BSUB -R "span[hosts=1]"
hostname
