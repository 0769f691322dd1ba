Submit hello, find its log and read it. The folder only looks like the repository's root, so that no other job's log
is in the way.

  $ sbatch --wait scripts/slurm/hello.sbatch
  Submitted batch job \d+ (re)
  $ ls *.out
  hello-\d+.out (re)
  $ cat hello-*.out
  job:            \d+ (re)
  node:           cpu\d (re)
  started in:     */hpc-cluster-workshop (glob)
  submitted from: */hpc-cluster-workshop (glob)
  cores:          2
