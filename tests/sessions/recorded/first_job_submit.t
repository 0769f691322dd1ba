# recorded 2026-11-29 with slurm-wlm 22.05.8
Submit hello, find its log and read it. The folder only looks like the repository's root, so that no other job's log
is in the way.

  $ sbatch --wait scripts/slurm/hello.sbatch
  Submitted batch job 6231
  $ ls *.out
  hello-6231.out
  $ cat hello-*.out
  job:            6231
  node:           cpu1
  started in:     ~/hpc-cluster-workshop
  submitted from: ~/hpc-cluster-workshop
  cores:          2
