#!/bin/bash
# Submit the training. Run it in the project's folder, a Git repository.
set -euo pipefail
sbatch --output=logs/%x-%j.out train.sbatch
