#!/bin/bash
#SBATCH --job-name=merge
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=28 
#SBATCH--time=20:00:00

module load apps/plink/1.90
plink --bed a.bed --merge-list list.txt --make-bed --out merged
