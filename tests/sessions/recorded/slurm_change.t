# recorded 2026-11-28 with slurm-wlm 22.05.8
A waiting job is changed. The function waits, as a person would, until the scheduler has looked at the job.

  $ squeue() { for try in $(seq 100); do command squeue --noheader --jobs=$job --states=PD --Format=Reason:20 | grep -q None && sleep 0.2 || break; done; command squeue "$@"; }
  $ scontrol() { command scontrol "$@" && case $1 in release) begun; esac; }
  $ begun() { for try in $(seq 150); do [ "$(command squeue --noheader --jobs=$job --Format=State:9)" = "RUNNING  " ] && break || sleep 0.2; done; }
#show
  $ job=$(sbatch --parsable --begin=now+1hour --time=30 --job-name=later --output=/dev/null --wrap="sleep 60")
  $ squeue --jobs=$job --Format=Name:8,Partition:11,State:10,Reason:13,TimeLimit:11,StartTime:20
  NAME    PARTITION  STATE     REASON       TIME_LIMIT START_TIME          
  later   cpu        PENDING   BeginTime    30:00      2026-11-28T03:56:48 
  $ scontrol update jobid=$job name=sooner partition=gpu timelimit=10
  $ scontrol uhold $job
  $ scontrol update jobid=$job starttime=now
  $ squeue --jobs=$job --Format=Name:8,Partition:11,State:10,Reason:13,TimeLimit:11
  NAME    PARTITION  STATE     REASON       TIME_LIMIT 
  sooner  gpu        PENDING   JobHeldUser  10:00      
  $ scontrol release $job
  $ squeue --jobs=$job --Format=Name:8,Partition:11,State:10,Reason:13,TimeLimit:11
  NAME    PARTITION  STATE     REASON       TIME_LIMIT 
  sooner  gpu        RUNNING   None         10:00      
  $ scancel $job
