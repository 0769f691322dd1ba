# recorded 2026-11-29 with slurm-wlm 22.05.8
The first job on the practice cluster, as a self-learner submits it.

  $ workshop cluster shell sbatch --wait scripts/slurm/hello.sbatch
  Submitted batch job 4040
  $ cat hello-*.out
  job:            4040
  node:           cpu1
  started in:     ~/hpc-cluster-workshop
  submitted from: ~/hpc-cluster-workshop
  cores:          2
