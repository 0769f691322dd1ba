# recorded 2026-11-29 with slurm-wlm 22.05.8
A waiting job is changed.

  $ job=$(sbatch --parsable --begin=now+1hour --time=30 --job-name=later --output=/dev/null --wrap="sleep 60")
  $ squeue --jobs=$job --Format=Name:8,Partition:11,State:10,Reason:13,TimeLimit:11,StartTime:20
  NAME    PARTITION  STATE     REASON       TIME_LIMIT START_TIME          
  later   cpu        PENDING   BeginTime    30:00      2026-11-29T19:23:40 
  $ scontrol update jobid=$job name=sooner partition=gpu timelimit=10
  $ scontrol update jobid=$job starttime=now
  $ squeue --jobs=$job --Format=Name:8,Partition:11,State:10,Reason:13,TimeLimit:11
  NAME    PARTITION  STATE     REASON       TIME_LIMIT 
  sooner  gpu        RUNNING   None         10:00      
  $ scancel $job
