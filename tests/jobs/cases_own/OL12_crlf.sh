#!/bin/bash
#BSUB -n 2
#BSUB -W 10
hostname
