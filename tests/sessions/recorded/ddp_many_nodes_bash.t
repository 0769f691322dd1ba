# recorded 2026-11-29 with slurm-wlm 22.05.8 and torch 2.14.1
A job script run with bash instead of being submitted.

  $ bash scripts/slurm/ddp_multi_node.sbatch
  scripts/slurm/ddp_multi_node.sbatch: line 15: SLURM_JOB_NODELIST: unbound variable
  [1]
