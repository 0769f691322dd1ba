# recorded 2026-11-29 with slurm-wlm 24.11.5
Needs: Slurm 24.11.
A dependency on a job that Slurm does not know is refused.

  $ sbatch --dependency=afterok:999999 --output=/dev/null --wrap="true"
  sbatch: error: Batch job submission failed: Job dependency problem
  [1]
