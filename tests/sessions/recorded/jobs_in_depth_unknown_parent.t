# recorded 2026-11-29 with slurm-wlm 22.05.8
A dependency on a job that Slurm does not know. Slurm 22.05 takes it, and starts the job at once.

  $ job=$(sbatch --parsable --wait --dependency=afterok:999999 --output=/dev/null --wrap="true")
  $ scontrol show job $job | grep --only-matching "JobState=\S*"
  JobState=COMPLETED
