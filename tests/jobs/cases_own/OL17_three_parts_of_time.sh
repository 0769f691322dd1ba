#!/bin/bash
#BSUB -n 1
#BSUB -W 01:30:00
hostname
