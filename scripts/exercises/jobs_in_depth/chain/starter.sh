#!/bin/bash
# Submit a whole experiment: prepare the data, train (an array), report on the trainings, clean up.
set -euo pipefail
sbatch prepare.sbatch
sbatch train.sbatch
sbatch report.sbatch
sbatch clean.sbatch
