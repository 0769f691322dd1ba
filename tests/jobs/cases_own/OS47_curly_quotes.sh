#!/bin/bash
#SBATCH --job-name=“train run”
#SBATCH --time=1:00:00
hostname
