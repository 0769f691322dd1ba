An array of five tasks, two at a time. The tasks work until the last one has been cancelled.

  $ cat > tune.sbatch << 'END'
  > #!/bin/bash
  > #SBATCH --job-name=tune
  > #SBATCH --output=%x-%A_%a.out
  > #SBATCH --array=1-5%2
  > #SBATCH --time=5
  > sleep 6
  > echo "task $SLURM_ARRAY_TASK_ID of array $SLURM_ARRAY_JOB_ID is job $SLURM_JOB_ID"
  > END
  $ array=$(sbatch --parsable tune.sbatch)
  $ squeue --me --sort=t --format="%.14i %.6j %.8T %R"
           JOBID   NAME    STATE NODELIST(REASON)
  \s*\d+_\[3-5%2\]   tune  PENDING \(JobArrayTaskLimit\) (re)
  \s*\d+_[12]   tune  RUNNING cpu\d (re)
  \s*\d+_[12]   tune  RUNNING cpu\d (re)
  $ scancel ${array}_5
  $ head tune-${array}_*.out
  ==> tune-\d+_1.out <== (re)
  task 1 of array \d+ is job \d+ (re)
  
  ==> tune-\d+_2.out <== (re)
  task 2 of array \d+ is job \d+ (re)
  
  ==> tune-\d+_3.out <== (re)
  task 3 of array \d+ is job \d+ (re)
  
  ==> tune-\d+_4.out <== (re)
  task 4 of array \d+ is job \d+ (re)
