# recorded 2026-11-29 with slurm-wlm 22.05.8
Submit a job that would run for ten minutes, watch it, cancel it.

  $ job=$(sbatch --parsable --job-name=nap --wrap="sleep 600")
  $ squeue --me
               JOBID PARTITION     NAME     USER ST       TIME  NODES NODELIST(REASON)
                6232       cpu      nap      ada  R       0:00      1 cpu1
  $ scancel $job
  $ scontrol show job $job | grep JobState
     JobState=CANCELLED Reason=None Dependency=(null)
