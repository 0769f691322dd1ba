# recorded 2026-11-29 with slurm-wlm 22.05.8
A job that asks for more time than its partition grants waits forever.

  $ job=$(sbatch --parsable --time=2-00:00:00 scripts/slurm/hello.sbatch)
  $ squeue --me
               JOBID PARTITION     NAME     USER ST       TIME  NODES NODELIST(REASON)
                6237       cpu    hello      ada PD       0:00      1 (PartitionTimeLimit)
  $ scontrol show partition cpu | grep -oE "(DefaultTime|MaxTime)=\S+"
  DefaultTime=00:10:00
  MaxTime=1-00:00:00
  $ scancel $job
