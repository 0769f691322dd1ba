# recorded 2026-11-29 with slurm-wlm 22.05.8
A node fails under a running job. The job is the sleep itself: a shell that waits for it would sometimes add the word
Terminated.

  $ job=$(sbatch --parsable --nodelist=cpu2 --no-requeue --job-name=lost \
  >   --output=%x-%j.out --time=5 --wrap="exec sleep 200")
  $ ls lost-$job.out
  lost-1537.out
  $ scontrol update nodename=cpu2 state=down reason="power supply"
  $ scontrol show job $job | grep -oE "(JobState|Reason|ExitCode)=\S+"
  JobState=NODE_FAIL
  Reason=NodeDown
  ExitCode=0:0
  $ sed -E 's/ (DUE|SEE)/\n  \1/g' lost-$job.out
  slurmstepd-cpu2: error: *** JOB 1537 ON cpu2 CANCELLED AT 2026-11-29T17:18:00
    DUE TO NODE FAILURE,
    SEE SLURMCTLD LOG FOR DETAILS ***
