#!/bin/bash
#COBALT -n 2
#COBALT -t 60
#COBALT -q full-node
#COBALT -A proj01

mpirun -n 16 -hostfile "$COBALT_NODEFILE" ./simulate
