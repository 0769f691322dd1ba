#!/bin/bash
#SBATCH --job-name=run #3
#SBATCH --time=1:00:00
#SBATCH --comment=fix #12 --mem=4G
hostname
