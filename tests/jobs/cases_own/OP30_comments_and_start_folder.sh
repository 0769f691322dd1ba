#!/bin/bash
#PBS -l nodes=1:ppn=4   # four cores
#PBS -l mem=8gb         # job memory
#PBS -l walltime=2:00:00
#PBS -d .
./app
