#!/bin/bash
# Submit a whole experiment: prepare the data, train (an array), report on the trainings, clean up.
set -euo pipefail
prepare=$(sbatch --parsable prepare.sbatch)
train=$(sbatch --parsable --dependency="afterok:$prepare" --kill-on-invalid-dep=yes train.sbatch)
sbatch --dependency="afterok:$train" --kill-on-invalid-dep=yes report.sbatch
sbatch --dependency="afterany:$train" clean.sbatch
