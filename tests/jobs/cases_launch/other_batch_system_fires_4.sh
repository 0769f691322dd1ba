#!/bin/sh
#PJM -L "node=12"
#PJM -L "rscgrp=small"
#PJM -L "elapse=01:00:00"
#PJM --mpi "proc=48"
#PJM -j

mpiexec -stdout-proc ./%/1000R/stdout ./simulate
