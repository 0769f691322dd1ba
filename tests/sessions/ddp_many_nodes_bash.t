A job script run with bash instead of being submitted.

  $ bash scripts/slurm/ddp_multi_node.sbatch
  scripts/slurm/ddp_multi_node.sbatch: line \d+: SLURM_JOB_NODELIST: unbound variable (re)
  [1]
