#!/bin/bash
#OAR -n train
#OAR -l /nodes=1/gpu=2,walltime=4:00:00
#OAR -O train.%jobid%.out

source .venv/bin/activate
python train.py
