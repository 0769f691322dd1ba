#!/bin/bash
# Prepare the data, then train. The training may run only if the preparation has succeeded.
set -euo pipefail
bsub -K < prepare.lsf
bsub < train.lsf
