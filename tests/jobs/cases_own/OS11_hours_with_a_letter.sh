#!/bin/bash
#SBATCH --time=1h30m
srun hostname
