#!/bin/bash
#PBS -l nodes=1:ppn=1:mem=4gb
#PBS -l walltime=01:00:00
cd $PBS_O_WORKDIR
./app
