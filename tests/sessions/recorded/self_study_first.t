# recorded 2026-11-28 with slurm-wlm 22.05.8
The first job on the practice cluster, as a self-learner submits it.

  $ . "$REPO/tests/sessions/waits.bash"
  $ clone_here
#show
  $ workshop cluster shell sbatch --wait scripts/slurm/hello.sbatch
  Submitted batch job 7097
  $ cat hello-*.out
  job:            7097
  node:           cpu1
  started in:     ~/hpc-cluster-workshop
  submitted from: ~/hpc-cluster-workshop
  cores:          2
