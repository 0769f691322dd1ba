#!/bin/bash
#SBATCH --gpu=1
hostname
