#!/bin/bash
#BSUB -n 4 -W 30
#BSUB -R select[mem>1000] rusage[mem=1000MB]
hostname
