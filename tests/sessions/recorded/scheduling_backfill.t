# recorded 2026-11-29 with slurm-wlm 22.05.8
A short job overtakes a wide one, a long job does not: Slurm's own backfill scheduler.

  $ cat > hold.sbatch << 'END'
  > #!/bin/bash
  > #SBATCH --output=/dev/null
  > #SBATCH --exclusive
  > sleep 290
  > END
  $ sbatch --job-name=first --nodes=1 --time=5 hold.sbatch
  Submitted batch job 3478
  $ squeue --format="%.6i %.6j %.5D %.10l %.8T %R"
   JOBID   NAME NODES TIME_LIMIT    STATE NODELIST(REASON)
    3478  first     1       5:00  RUNNING cpu1
  $ sbatch --job-name=wide --nodes=2 --time=5 hold.sbatch
  Submitted batch job 3479
  $ sbatch --job-name=long --nodes=1 --time=10 hold.sbatch
  Submitted batch job 3480
  $ squeue --start --sort=i --format="%.6i %.6j %.19S %R"
   JOBID   NAME          START_TIME NODELIST(REASON)
    3479   wide 2026-11-29T17:40:37 (Resources)
    3480   long 2026-11-29T17:45:00 (Priority)
  $ date +%FT%T
  2026-11-29T17:35:38
  $ sbatch --test-only --nodes=1 --time=2 hold.sbatch
  sbatch: Job 3481 to start at 2026-11-29T17:45:38 using 8 processors on nodes cpu2 in partition cpu
  $ sbatch --job-name=short --nodes=1 --time=2 hold.sbatch
  Submitted batch job 3482
  $ squeue --sort=i --format="%.6i %.6j %.5D %.10l %.8T %.19S %R"
   JOBID   NAME NODES TIME_LIMIT    STATE          START_TIME NODELIST(REASON)
    3478  first     1       5:00  RUNNING 2026-11-29T17:35:37 cpu1
    3479   wide     2       5:00  PENDING 2026-11-29T17:40:37 (Resources)
    3480   long     1      10:00  PENDING 2026-11-29T17:45:00 (Priority)
    3482  short     1       2:00  RUNNING 2026-11-29T17:35:39 cpu2
  $ short=$(squeue --noheader --name=short --format=%i)
  $ scontrol show job "$short" | grep --only-matching "Scheduler=.*"
  Scheduler=Backfill
  $ scancel --me
