#!/bin/bash
#SBATCH --output=logs/my job-%j.out
#SBATCH --time=1:00:00
hostname
