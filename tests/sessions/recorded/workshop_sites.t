# recorded 2026-11-30 without a scheduler
Part of what is known of a cluster.

  $ workshop sites practice | sed -n '/^partitions$/,/gpu:/p'
  partitions
    cpu: for cpu, default yes, max time 24 h, default time 10 min [cluster]
    gpu: for gpu, max time 24 h, default time 10 min [cluster]
