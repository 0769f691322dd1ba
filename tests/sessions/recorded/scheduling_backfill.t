# recorded 2026-11-28 with slurm-wlm 22.05.8
A short job overtakes a wide one, a long job does not: Slurm's own backfill scheduler.
A person looks when the scheduler has decided: the functions wait for that.

  $ . "$REPO/tests/sessions/waits.bash"
  $ cat > hold.sbatch << 'END'
  > #!/bin/bash
  > #SBATCH --output=/dev/null
  > #SBATCH --exclusive
  > sleep 290
  > END
  $ sbatch() { command sbatch "$@"; case "$*" in *=first*) wait_running 1 --name=first;; *=short*) wait_running 1 --name=short;; esac; }
  $ squeue() { case $1 in --start) wait_squeue "long 20.* Priority,wide 20.* Resources" "%j %S %r" --states=PENDING; esac; command squeue "$@"; }

#show

  $ cat hold.sbatch
  #!/bin/bash
  #SBATCH --output=/dev/null
  #SBATCH --exclusive
  sleep 290
  $ sbatch --job-name=first --nodes=1 --time=5 hold.sbatch
  Submitted batch job 7861
  $ squeue --format="%.6i %.6j %.5D %.10l %.8T %R"
   JOBID   NAME NODES TIME_LIMIT    STATE NODELIST(REASON)
    7861  first     1       5:00  RUNNING cpu1
  $ sbatch --job-name=wide --nodes=2 --time=5 hold.sbatch
  Submitted batch job 7862
  $ sbatch --job-name=long --nodes=1 --time=10 hold.sbatch
  Submitted batch job 7863
  $ squeue --start --sort=i --format="%.6i %.6j %.19S %R"
   JOBID   NAME          START_TIME NODELIST(REASON)
    7862   wide 2026-11-28T17:16:04 (Resources)
    7863   long 2026-11-28T17:21:00 (Priority)
  $ date +%FT%T
  2026-11-28T17:11:05
  $ sbatch --test-only --nodes=1 --time=2 hold.sbatch
  sbatch: Job 7864 to start at 2026-11-28T17:21:05 using 8 processors on nodes cpu2 in partition cpu
  $ sbatch --job-name=short --nodes=1 --time=2 hold.sbatch
  Submitted batch job 7865
  $ squeue --sort=i --format="%.6i %.6j %.5D %.10l %.8T %.19S %R"
   JOBID   NAME NODES TIME_LIMIT    STATE          START_TIME NODELIST(REASON)
    7861  first     1       5:00  RUNNING 2026-11-28T17:11:04 cpu1
    7862   wide     2       5:00  PENDING 2026-11-28T17:16:04 (Resources)
    7863   long     1      10:00  PENDING 2026-11-28T17:21:00 (Priority)
    7865  short     1       2:00  RUNNING 2026-11-28T17:11:06 cpu2
  $ short=$(squeue --noheader --name=short --format=%i)
  $ scontrol show job "$short" | grep --only-matching "Scheduler=.*"
  Scheduler=Backfill
  $ scancel --me
