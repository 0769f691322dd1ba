#!/bin/bash
# Submit the training. Run it in the project's folder, a Git repository.
set -euo pipefail
CODE=snapshots/$(git rev-parse --short HEAD)
export CODE
mkdir --parents "$CODE" logs
git archive HEAD | tar --extract --directory="$CODE"
sbatch --output=logs/%x-%j.out "$CODE/train.sbatch"
