# recorded 2026-11-27 with slurm-wlm 22.05.8
A job script run with bash instead of being submitted.

  $ . "$REPO/tests/sessions/waits.bash"
  $ clone_here
  $ unset SLURM_JOB_NODELIST SLURM_JOB_ID
#show
  $ bash scripts/slurm/ddp_multi_node.sbatch
  scripts/slurm/ddp_multi_node.sbatch: line 15: SLURM_JOB_NODELIST: unbound variable
  [1]
