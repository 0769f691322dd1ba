A short job overtakes a wide one, a long job does not: Slurm's own backfill scheduler.

  $ cat > hold.sbatch << 'END'
  > #!/bin/bash
  > #SBATCH --output=/dev/null
  > #SBATCH --exclusive
  > sleep 290
  > END
  $ sbatch --job-name=first --nodes=1 --time=5 hold.sbatch
  Submitted batch job [0-9]+ (re)
  $ squeue --format="%.6i %.6j %.5D %.10l %.8T %R"
   JOBID   NAME NODES TIME_LIMIT    STATE NODELIST(REASON)
   +[0-9]+  first     1       5:00  RUNNING cpu[12] (re)
  $ sbatch --job-name=wide --nodes=2 --time=5 hold.sbatch
  Submitted batch job [0-9]+ (re)
  $ sbatch --job-name=long --nodes=1 --time=10 hold.sbatch
  Submitted batch job [0-9]+ (re)
  $ squeue --start --sort=i --format="%.6i %.6j %.19S %R"
   JOBID   NAME          START_TIME NODELIST(REASON)
   +[0-9]+   wide [0-9T:-]{19} \(Resources\) (re)
   +[0-9]+   long [0-9T:-]{19} \(Priority\) (re)
  $ date +%FT%T
  [0-9T:-]{19} (re)
  $ sbatch --test-only --nodes=1 --time=2 hold.sbatch
  sbatch: Job [0-9]+ to start at [0-9T:-]+ using [0-9]+ processors on nodes cpu[12] in partition cpu (re)
  $ sbatch --job-name=short --nodes=1 --time=2 hold.sbatch
  Submitted batch job [0-9]+ (re)
  $ squeue --sort=i --format="%.6i %.6j %.5D %.10l %.8T %.19S %R"
   JOBID   NAME NODES TIME_LIMIT    STATE          START_TIME NODELIST(REASON)
   +[0-9]+  first     1       5:00  RUNNING [0-9T:-]{19} cpu[12] (re)
   +[0-9]+   wide     2       5:00  PENDING [0-9T:-]{19} \(Resources\) (re)
   +[0-9]+   long     1      10:00  PENDING [0-9T:-]{19} \(Priority\) (re)
   +[0-9]+  short     1       2:00  RUNNING [0-9T:-]{19} cpu[12] (re)
  $ short=$(squeue --noheader --name=short --format=%i)
  $ scontrol show job "$short" | grep --only-matching "Scheduler=.*"
  Scheduler=Backfill
  $ scancel --me
