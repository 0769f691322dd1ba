# recorded 2026-11-29 with slurm-wlm 22.05.8
Needs: accounting.
A job on an account that one does not belong to.

  $ sbatch --account=thesis scripts/slurm/hello.sbatch
  sbatch: error: Batch job submission failed: Invalid account or account/partition combination specified
  [1]
