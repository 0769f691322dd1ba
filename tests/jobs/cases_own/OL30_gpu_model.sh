#!/bin/bash
#BSUB -q gpu -n 6
#BSUB -gpu "num=3:gmodel=TeslaV100:mode=exclusive_process:mps=no"
#BSUB -R "span[hosts=1] rusage[mem=16GB/host] select[type==any]"
#BSUB -M 20GB -W 8:00 -oo o.%J -eo e.%J
python train.py
