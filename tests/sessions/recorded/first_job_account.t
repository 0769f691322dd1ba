# recorded 2026-11-27 with slurm-wlm 22.05.8
Needs: accounting.
A job on an account that one does not belong to.

  $ . "$REPO/tests/sessions/waits.bash"
  $ clone_here
#show
  $ sbatch --account=thesis scripts/slurm/hello.sbatch
  sbatch: error: Batch job submission failed: Invalid account or account/partition combination specified
  [1]
