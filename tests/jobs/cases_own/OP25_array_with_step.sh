#!/bin/bash
#PBS -J 0-99:3
#PBS -l select=1:ncpus=1:mem=1gb
#PBS -l walltime=600
cd ${PBS_O_WORKDIR:-.}
python task.py --i $PBS_ARRAY_INDEX --id $PBS_ARRAY_ID --job ${PBS_JOBID%%.*} --tmp $TMPDIR --q $PBS_QUEUE
