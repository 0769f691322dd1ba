#!/bin/bash
#SBATCH --cpu-per-task=4
#SBATCH --time=1:00:00
hostname
