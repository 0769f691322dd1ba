A practice cluster of the session's own, from nothing to a job's output.

  $ export WORKSHOP_CLUSTER_DIR=$(mktemp --directory)/cluster
  $ workshop cluster up --no-accounting | head -n 1
  Started munged, slurmctld, slurmd cpu1, slurmd cpu2, slurmd gpu1, slurmd gpu2.
  $ workshop cluster shell sinfo
  PARTITION AVAIL  TIMELIMIT  NODES  STATE NODELIST
  cpu\* +up 1-00:00:00 +2 +idle cpu\[1-2\] (re)
  gpu +up 1-00:00:00 +2 +idle gpu\[1-2\] (re)
  $ workshop cluster shell sbatch --wait scripts/slurm/hello.sbatch
  Submitted batch job \d+ (re)
  $ workshop cluster shell tail -n 3 hello-*.out
  started in:     .*/hpc-cluster-workshop (re)
  submitted from: .*/hpc-cluster-workshop (re)
  cores:          2
  $ workshop cluster down > /dev/null
  $ unset WORKSHOP_CLUSTER_DIR
