# recorded 2026-11-30 with slurm-wlm 22.05.8
Looking at a practice cluster that runs.

  $ workshop cluster status | grep nodes:
    nodes:      cpu1 idle, cpu2 idle, gpu1 idle, gpu2 idle
  $ workshop cluster shell sinfo --Node --format="%N %c %G"
  NODELIST CPUS GRES
  cpu1 8 (null)
  cpu2 8 (null)
  gpu1 8 gpu:v100:4
  gpu2 8 gpu:v100:4
