# recorded 2026-11-29 with slurm-wlm 22.05.8
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
    6886_[3-5%2]   tune  PENDING (JobArrayTaskLimit)
          6886_1   tune  RUNNING cpu1
          6886_2   tune  RUNNING cpu1
  $ scancel ${array}_5
  $ head tune-${array}_*.out
  ==> tune-6886_1.out <==
  task 1 of array 6886 is job 6887
  
  ==> tune-6886_2.out <==
  task 2 of array 6886 is job 6888
  
  ==> tune-6886_3.out <==
  task 3 of array 6886 is job 6889
  
  ==> tune-6886_4.out <==
  task 4 of array 6886 is job 6886
