#!/bin/bash
#BSUB -J x
# BSUB -n 16
#BSUB -W 30
hostname
