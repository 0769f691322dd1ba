#!/bin/bash
#PBS -l nodes=1:ppn=8:bigmem+1:ppn=4
#PBS -l walltime=1:00:00
#PBS -W group_list=lab -W x=advres:res.1
cd $PBS_O_WORKDIR
mpirun ./app
