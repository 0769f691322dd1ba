#!/bin/bash
# my job
#PBS -N job1 -joe -o /home/u/job.log
#PBS -lselect=1:ncpus=4
#PBS -lwalltime=90:00
### old
##PBS -q gpu
cd $PBS_O_WORKDIR && ./app
