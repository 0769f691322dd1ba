Submit a job that would run for ten minutes, watch it, cancel it. A person takes a moment between two commands and
sees the job run; a script is faster, so these functions wait until the scheduler has done what it was asked.

  $ . "$REPO/tests/sessions/waits.bash"
  $ squeue() { wait_running 1 --me; command squeue "$@"; }
  $ scancel() { command scancel "$@" && wait_ended --me; }
#show
  $ job=$(sbatch --parsable --job-name=nap --wrap="sleep 600")
  $ squeue --me
               JOBID PARTITION     NAME     USER ST       TIME  NODES NODELIST(REASON)
   +\d+ +cpu +nap +\w+ +R +0:\d\d +1 cpu\d (re)
  $ scancel $job
  $ scontrol show job $job | grep JobState
     JobState=CANCELLED Reason=None Dependency=(null)
