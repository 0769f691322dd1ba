# recorded 2026-11-30 with slurm-wlm 22.05.8
An exercise from its starter to its check.

  $ workshop exercise list | grep job_scripts
  job_scripts/mend_request        Mend the request
  job_scripts/finish_translation  Finish a translation
  job_scripts/fit_cluster         Fit a cluster
  job_scripts/mend_ranks          Give each process its rank
  job_scripts/one_training        Make one training of two
  $ workshop exercise start job_scripts/mend_ranks
  Edit my_mend_ranks.sbatch, then: workshop exercise check job_scripts/mend_ranks my_mend_ranks.sbatch
  $ workshop exercise check job_scripts/mend_ranks my_mend_ranks.sbatch
  - Line 14: The port 29500 is the same for everyone who uses these lines: two jobs on one node collide (EADDRINUSE), or join each other.
  - Line 15: RANK=$SLURM_PROCID is expanded by the batch shell, where it is 0: every task gets rank 0, and all but one fail with EADDRINUSE or wait forever.
  Not there yet.
  [1]
