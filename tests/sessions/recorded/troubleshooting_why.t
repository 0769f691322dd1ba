# recorded 2026-11-30 without a scheduler
The log of a job that ran too long, and a message that somebody copied.

  $ cp scripts/exercises/troubleshooting/find_the_cause/logs/limit.log train.log
  $ workshop why train.log
  line 10: slurmstepd-cpu1: error: *** JOB 7353 ON cpu1 CANCELLED AT 2026-11-28T03:41:16 DUE TO TIME LIMIT ***
  
  `CANCELLED AT … DUE TO TIME LIMIT`
  from `slurmstepd`
  
  The job reached its time limit; state `TIMEOUT`.
    Mend: Checkpoints and a requeue; more time where the queue grants it. If it
    never got that far before, it may hang: see DDP.
  
  More: book/troubleshooting.html#msg-timeout
  $ workshop why - <<< "Unable to create step for job 7: More processors requested than permitted"
  line 1: Unable to create step for job 7: More processors requested than permitted
  
  `More processors requested than permitted`
  from `srun`
  
  1. A step asks for more than its job has.
    Mend: The same numbers in the header and behind `srun`.
  
  2. The request comes from outside of a job: more than the partition or your
  account allows.
    Mend: Fewer nodes or tasks; `sinfo -o '%P %l %D %c'` shows the partition.
  
  More: book/troubleshooting.html#msg-step
