# recorded 2026-11-29 with slurm-wlm 22.05.8
A look at a running job of two nodes: one task on each, or on the node that is named.

  $ job=$(sbatch --parsable --nodes=2 --output=/dev/null --wrap="sleep 290")
  $ squeue --jobs=$job --format="%.8T %R"
     STATE NODELIST(REASON)
   RUNNING cpu[1-2]
  $ srun --overlap --jobid=$job hostname | sort
  cpu1
  cpu2
  $ srun --overlap --jobid=$job --nodes=1 --ntasks=1 --nodelist=cpu2 hostname
  cpu2
  $ scancel $job
