#!/bin/bash
#PBS -t 1-10
#PBS -d /scratch/x
#PBS -l procs=8
hostname
