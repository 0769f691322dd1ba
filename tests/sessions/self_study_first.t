The first job on the practice cluster, as a self-learner submits it.

  $ workshop cluster shell sbatch --wait scripts/slurm/hello.sbatch
  Submitted batch job \d+ (re)
  $ cat hello-*.out
  job:            \d+ (re)
  node:           cpu\d (re)
  started in:     .*/hpc-cluster-workshop (re)
  submitted from: .*/hpc-cluster-workshop (re)
  cores:          2
