#!/bin/bash
# -- options
#$ -N train
#$ -cwd -V
#$ -pe smp 4
#$ -l gpu=1,h_rt=04:00:00
#$ -o train.$JOB_ID.out

source .venv/bin/activate
python train.py --workers "$NSLOTS"
