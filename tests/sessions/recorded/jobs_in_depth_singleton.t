# recorded 2026-11-29 with slurm-wlm 22.05.8
A chain without ids: one name, one job at a time. The first job runs until it is cancelled.

  $ for part in 1 2 3; do
  >   sbatch --quiet --job-name=chain --dependency=singleton --output=/dev/null --wrap="sleep 290"
  > done
  $ squeue --me --sort=i --format="%.8j %.8T %R"
      NAME    STATE NODELIST(REASON)
     chain  RUNNING cpu1
     chain  PENDING (Dependency)
     chain  PENDING (Dependency)
  $ scancel --me
