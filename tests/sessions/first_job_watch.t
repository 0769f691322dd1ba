Submit a job that would run for ten minutes, watch it, cancel it.

  $ job=$(sbatch --parsable --job-name=nap --wrap="sleep 600")
  $ squeue --me
               JOBID PARTITION     NAME     USER ST       TIME  NODES NODELIST(REASON)
   +\d+ +cpu +nap +\w+ +R +0:\d\d +1 cpu\d (re)
  $ scancel $job
  $ scontrol show job $job | grep JobState
     JobState=CANCELLED Reason=None Dependency=(null)
