#!/bin/bash
#SBATCH --ignore-pbs -N 1 -t 10
#PBS -l nodes=3
hostname
