A waiting job is changed. The function waits, as a person would, until the scheduler has looked at the job.

  $ . "$REPO/tests/sessions/waits.bash"
  $ squeue() { wait_squeue "RUNNING None|PENDING BeginTime" "%T %r" --jobs=$job; command squeue "$@"; }
  $ scontrol() { command scontrol "$@" && case $* in *starttime=now) wait_running 1 --jobs=$job; esac; }
#show
  $ job=$(sbatch --parsable --begin=now+1hour --time=30 --job-name=later --output=/dev/null --wrap="sleep 60")
  $ squeue --jobs=$job --Format=Name:8,Partition:11,State:10,Reason:13,TimeLimit:11,StartTime:20
  NAME    PARTITION  STATE     REASON       TIME_LIMIT START_TIME          
  later   cpu        PENDING   BeginTime    30:00      \S+ * (re)
  $ scontrol update jobid=$job name=sooner partition=gpu timelimit=10
  $ scontrol update jobid=$job starttime=now
  $ squeue --jobs=$job --Format=Name:8,Partition:11,State:10,Reason:13,TimeLimit:11
  NAME    PARTITION  STATE     REASON       TIME_LIMIT 
  sooner  gpu        RUNNING   None         10:00      
  $ scancel $job
