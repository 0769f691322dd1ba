#!/bin/bash
#SBATCH --nodes = 2
#SBATCH -t 5:00:00
hostname
