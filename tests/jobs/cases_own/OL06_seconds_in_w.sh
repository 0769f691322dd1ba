#!/bin/bash
#BSUB -W 01:30:00
#BSUB -n 4
hostname
