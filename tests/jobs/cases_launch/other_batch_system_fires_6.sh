#!/bin/bash
# flux: -N 2
# flux: -n 8
# flux: --gpus-per-task=1
# flux: -t 60m

flux run -n 8 ./simulate
