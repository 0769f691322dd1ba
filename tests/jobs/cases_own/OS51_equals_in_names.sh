#!/bin/bash
#SBATCH -o=out.log
#SBATCH -J=job
#SBATCH --time=1:00:00
hostname
